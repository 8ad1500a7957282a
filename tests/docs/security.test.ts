import fs from 'node:fs';
import { expect, test } from '@jest/globals';

const page = fs.readFileSync('docs/internals/attack-tests.md', 'utf8');
const rows = page
  .split('\n')
  .filter((line) => /^\| S\d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

test('the security checklist has a row for each of its 87 ids', () => {
  const ids = Array.from({ length: 87 }, (_, index) => `S${String(index + 1).padStart(2, '0')}`);
  expect(rows.map(([, id]) => id)).toEqual(ids);
});

test.each(rows.map(([, id = '', , , tests = '']) => [id, tests]))(
  '%s occurs in every test that its row names',
  (id, tests) => {
    const files = [...tests.matchAll(/\(\.\.\/\.\.\/(?<file>[^)]+)\)/g)].map(({ groups }) => groups?.['file'] ?? '');
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const lines = fs.readFileSync(file, 'utf8').split('\n');
      const named = lines.some((line) => !/^\s*(?:\/\/|\/?\*)/.test(line) && new RegExp(`\\b${id}\\b`).test(line));
      expect({ file, named }).toEqual({ file, named: true });
    }
  },
);
