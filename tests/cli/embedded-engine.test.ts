import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';

test('the program loads the code that patches only by a dynamic import', () => {
  const patching = '__isoc23_';
  const program = path.resolve('packages/embedded-mongod/dist/serve.js');
  expect(loadedWith(program, /(?:from|import)\s*"(\.[^"]+)"/g).join('')).not.toContain(patching);
  expect(loadedWith(program, /(?:from\s*|import\s*\(?)"(\.[^"]+)"/g).join('')).toContain(patching);
});

/** The text of a built file and of all files that it imports, where `imports` finds them. */
function loadedWith(file: string, imports: RegExp, seen = new Set<string>()): readonly string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const text = fs.readFileSync(file, 'utf8');
  const files = [...text.matchAll(imports)].map(([, name = '']) => path.resolve(path.dirname(file), name));
  return [text, ...files.flatMap((name) => loadedWith(name, imports, seen))];
}
