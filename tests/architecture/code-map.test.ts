import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { rowOf } from './layers.js';
import { namesBelowSrc } from './source-files.js';

const page = readFileSync('ARCHITECTURE.md', 'utf8');

/** The rows of the code map: the path of a module, what is in it, and the file to start with. */
const map = [...page.matchAll(/^\| `(src\/[^`]+)` *\| (.*?) *\| (?:`([^`]+)`)? *\|$/gm)].map(
  ([, module = '', contents = '', start]) => ({ module, contents, start }),
);
const foldersIn = (folder: string): readonly string[] => {
  const below = namesBelowSrc().filter((name) => name.startsWith(folder));
  const names = below.map((name) => name.slice(folder.length)).filter((name) => name.includes('/'));
  return [...new Set(names.map((name) => name.replace(/\/.*/, '')))].toSorted();
};
const foldersNamedIn = (text: string): readonly string[] =>
  [...text.matchAll(/`([a-z0-9-]+)\/`/g)].map(([, name = '']) => name);

test('the code map names every folder of src once, and no other', () => {
  const folders = map.map(({ module }) => module).filter((module) => !module.endsWith('.ts'));
  expect(folders.toSorted()).toEqual(foldersIn('').map((folder) => `src/${folder}`));
});

test('the code map names every file directly in src', () => {
  const files = namesBelowSrc().filter((name) => !name.includes('/'));
  expect(files.filter((name) => !page.includes(`\`${name}\``) && !page.includes(`\`src/${name}\``))).toEqual([]);
});

test('the files to start with and the folders in the descriptions exist', () => {
  const paths = map.flatMap(({ module, contents, start }) => [
    ...(start === undefined ? [] : [path.posix.join(module, start)]),
    ...(module.endsWith('.ts') ? [] : foldersNamedIn(contents).map((folder) => path.posix.join(module, folder))),
  ]);
  expect(paths.length).toBeGreaterThan(map.length);
  expect(paths.filter((name) => !existsSync(name))).toEqual([]);
});

test('the paragraph on the database names every folder of src/mongo, and no other', () => {
  const paragraph = /^Below `src\/mongo`:[^]*?\n\n/m.exec(page)?.[0] ?? '';
  expect(foldersNamedIn(paragraph).toSorted()).toEqual(foldersIn('mongo/'));
});

test('the line of imports has the order that is enforced, and leaves no row out', () => {
  const line = /^(cli → .*)$/m.exec(page)?.[1] ?? '';
  const rows = line.split(' → ').map((row) => row.replaceAll(/[()]|plugins\/(?=contract)/g, '').split(', '));
  const places = rows.map((modules) => [...new Set(modules.map(rowOf))]);
  expect(places.every((place) => place.length === 1)).toBe(true);
  expect(places.flat()).toEqual(places.flat().toSorted((a, b) => a - b));
  const named = new Set(rows.flat());
  expect(foldersIn('').filter((folder) => !named.has(folder))).toEqual([]);
});

test('the table of packages names every package once, and no other', () => {
  const named = [...page.matchAll(/^\| `packages\/([^`]+)` *\|/gm)].map(([, name = '']) => name);
  expect(named.toSorted()).toEqual(readdirSync('packages').toSorted());
});
