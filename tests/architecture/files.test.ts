import { expect, test } from '@jest/globals';
import { namesBelowSrc, readSourceFiles } from './source-files.js';

const LONGEST = 200;

test(`no source file is longer than ${LONGEST} lines`, () => {
  const lengths = readSourceFiles().map(({ name, text }) => [name, text.trimEnd().split('\n').length] as const);
  expect(lengths.filter(([, length]) => length > LONGEST)).toEqual([]);
});

test('files and folders are named in kebab-case', () => {
  const kebab = /^(?:[a-z][a-z0-9]*(?:-[a-z0-9]+)*\/)*[a-z][a-z0-9]*(?:-[a-z0-9]+)*\.(?:ts|json)$/;
  expect(namesBelowSrc().filter((name) => !kebab.test(name))).toEqual([]);
});

test('no file is named for nothing in particular', () => {
  const vague = /(?:^|[/-])(?:utils?|helpers?|managers?|common|misc|shared)(?:[./-]|$)/;
  expect(namesBelowSrc().filter((name) => vague.test(name))).toEqual([]);
});
