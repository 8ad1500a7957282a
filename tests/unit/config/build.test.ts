import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const read = (file: string): string => fs.readFileSync(file, 'utf8');
const filesIn = (folder: string): readonly string[] =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((name) => /\.(?:mjs|ts)$/.test(name));

test('the build writes every file of dist that is referenced, and no unused entry point', () => {
  const list = /const entries = \[(?<list>[^\]]*)\]/.exec(read('scripts/build.mjs'))?.groups?.['list'] ?? '';
  // The client and the script for previews are copied.
  const entries = [
    'client/client',
    'client/preview',
    ...[...list.matchAll(/'(?<name>[^']+)'/g)].map(({ groups }) => groups?.['name']),
  ];
  const readers = ['package.json', ...['bin', 'scripts', 'tests'].flatMap(filesIn)].map(read);
  const named = readers.flatMap((text) =>
    [...text.matchAll(/(?<!\w\/)\bdist(?:\/|', ')(?<name>[\w/-]+)\.js\b/g)].map(({ groups }) => groups?.['name']),
  );
  expect(entries.toSorted()).toEqual([...new Set(named)].toSorted());
});
