import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { namesBelowSrc, readSourceFiles } from './source-files.js';

const MAX_LINES = 300;
const MAX_FOLDERS_IN_SRC = 15;
const MAX_FILES_IN_FOLDER = 15;

test(`no source file is longer than ${MAX_LINES} lines`, () => {
  const lengths = readSourceFiles().map(({ name, text }) => [name, text.trimEnd().split('\n').length] as const);
  expect(lengths.filter(([, length]) => length > MAX_LINES)).toEqual([]);
});

test('files and folders are named in kebab-case', () => {
  const kebab = /^(?:[a-z][a-z0-9]*(?:-[a-z0-9]+)*\/)*[a-z][a-z0-9]*(?:-[a-z0-9]+)*\.(?:ts|json)$/;
  expect(namesBelowSrc().filter((name) => !kebab.test(name))).toEqual([]);
});

test('no file has a generic name', () => {
  const vague = /(?:^|[/-])(?:utils?|helpers?|managers?|common|misc|shared)(?:[./-]|$)/;
  expect(namesBelowSrc().filter((name) => vague.test(name))).toEqual([]);
});

test(`src has at most ${MAX_FOLDERS_IN_SRC} folders`, () => {
  const below = namesBelowSrc().filter((name) => name.includes('/'));
  const folders = new Set(below.map((name) => name.replace(/\/.*/, '')));
  expect([...folders].slice(MAX_FOLDERS_IN_SRC)).toEqual([]);
});

test(`no folder has more than ${MAX_FILES_IN_FOLDER} files beside its sub-folders`, () => {
  const counts = new Map<string, number>();
  for (const name of namesBelowSrc()) {
    const folder = path.posix.dirname(name);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  expect([...counts].filter(([, count]) => count > MAX_FILES_IN_FOLDER)).toEqual([]);
});

test('all random numbers of tests have the seed of the run', () => {
  const names = readdirSync('tests', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const random = /from 'fast-check['"]|Math\.random\b/;
  const users = names.filter((name) => random.test(readFileSync(path.join('tests', name), 'utf8')));
  expect(users.toSorted()).toEqual(['faults/random.ts', 'support/fast-check.ts']);
});
