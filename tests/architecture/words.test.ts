import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { readSourceFiles, stringsOf } from './source-files.js';

/** Expressions that are not idiomatic English, and what to write instead. */
const banned: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\banew\b/i, 'again, from scratch'],
  [/\bmoments\b/i, 'timestamps'],
  [/\bwhoever\b/i, 'a client that, a caller that'],
  [/\bwho asks\b/i, 'the caller'],
  [/\bheads\b/i, 'headers'],
  [/\bso many (?:milliseconds|seconds|bytes|from)\b/i, 'maximum, number of'],
  [/\b(?:is|are|was) told\b/i, 'is reported'],
  [/\bstands? in\b/i, 'is in, is listed in, replaces'],
  [/\bstands here\b/i, 'is listed here'],
  [/(?<!there )\bis no (?!longer|more|less|way)[a-z]/i, 'is not a, unknown'],
  [/\ba text\b/i, 'a string'],
  [/\blists? of texts\b/i, 'a list of strings'],
  [/\bsomebody else\b/i, 'another user'],
  [/\bhangs? up\b/i, 'disconnects'],
  [/\bgoes for\b/i, 'applies to'],
  [/\btakes? back\b/i, 'removes, reverts'],
  [/\bin the words of\b/i, 'with the message of'],
  [/\bfrom elsewhere\b/i, 'external'],
  [/\bowner's code\b/i, 'project code'],
  [/\bbeside others\b/i, 'other systems'],
];

/** The lines of a text in which something is banned, with what to write instead. */
const offences = (text: string, where: string): readonly string[] =>
  text
    .split('\n')
    .flatMap((line, index) =>
      banned.flatMap(([pattern, instead]) =>
        pattern.test(line) ? [`${where}:${index + 1}: ${pattern.exec(line)?.[0]} -> ${instead}: ${line.trim()}`] : [],
      ),
    );

const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'SECURITY.md',
  '.env.example',
  ...readdirSync('docs', { recursive: true }).map((name) => `docs/${String(name)}`),
].filter((name) => name.endsWith('.md') || name === '.env.example');

/** Prose without blocks of code and without code in a line. */
const proseOf = (page: string): string =>
  readFileSync(page, 'utf8')
    .replaceAll(/^```.*?^```$/gms, (block) => block.replaceAll(/[^\n]/g, ''))
    .replaceAll(/`[^`\n]*`/g, '`…`');

describe('plain English', () => {
  test.each(pages)('in %s', (page) => {
    expect(offences(proseOf(page), page)).toEqual([]);
  });

  test('in the messages of the program', () => {
    const strings = readSourceFiles().flatMap(({ name, text }) =>
      stringsOf(text).map((message) => ({ name, message })),
    );
    expect(strings.length).toBeGreaterThan(1000);
    expect(strings.flatMap(({ name, message }) => offences(message, `src/${name}`))).toEqual([]);
  });

  test('finds an expression in prose and in messages', () => {
    expect(offences('first\nit is told anew', 'page')).toHaveLength(2);
    expect(stringsOf("log('a b', `c ${d} e`, 'word'); // is no comment")).toEqual(['a b', 'c ', ' e']);
  });
});
