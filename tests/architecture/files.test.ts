import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { namesBelowSrc } from './source-files.js';

test('files and folders are named in kebab-case', () => {
  const kebab = /^(?:[a-z][a-z0-9]*(?:-[a-z0-9]+)*\/)*[a-z][a-z0-9]*(?:-[a-z0-9]+)*\.(?:ts|json)$/;
  const names = namesBelowSrc().filter((name) => !name.endsWith('/README.md'));
  expect(names.filter((name) => !kebab.test(name))).toEqual([]);
});

test('no file has a generic name', () => {
  const vague = /(?:^|[/-])(?:utils?|helpers?|managers?|common|misc|shared)(?:[./-]|$)/;
  expect(namesBelowSrc().filter((name) => vague.test(name))).toEqual([]);
});

test('all random numbers of tests have the seed of the run', () => {
  const names = readdirSync('tests', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const random = /from 'fast-check['"]|Math\.random\b/;
  const users = names.filter((name) => random.test(readFileSync(path.join('tests', name), 'utf8')));
  expect(users.toSorted()).toEqual(['faults/random.ts', 'support/fast-check.ts']);
});

test('lines of comments have at most 120 characters', () => {
  const comment = /^\s*(?:\/\*|\*|\/\/)/;
  const long = ['src', 'packages', 'scripts', 'tests'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:tsx?|mjs)$/.test(name) && !/(?:^|\/)(?:node_modules|dist|fixtures)\//.test(name))
      .flatMap((name) =>
        readFileSync(path.join(folder, name), 'utf8')
          .split('\n')
          .filter((line) => line.length > 120 && comment.test(line))
          .map((line) => `${folder}/${name}: ${line.trim()}`),
      ),
  );
  expect(long).toEqual([]);
});

test('git ignores nothing that a clone would miss', () => {
  // A copy without its history is not what is committed from.
  if (!existsSync('.git')) return;
  const built = /(?:^|\/)(?:node_modules|dist|\.next|\.nuxt|\.output|\.data)\//;
  const listing = [
    '-c',
    'safe.directory=*',
    'ls-files',
    '--others',
    '--ignored',
    '--exclude-standard',
    '--directory',
    '--',
  ];
  const folders = ['src', 'content-types', 'scripts', 'tests', 'docs', 'examples', 'packages'];
  const ignored = execFileSync('git', [...listing, ...folders], { encoding: 'utf8' })
    .split('\n')
    .slice(0, -1);
  expect(ignored.filter((name) => !built.test(name))).toEqual([]);
});
