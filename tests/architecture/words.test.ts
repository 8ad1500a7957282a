import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { declaredNamesIn, parse, readEditorFiles, readSourceFiles, stringsOf } from './source-files.js';

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
  [/\b(?:some|no)body\b/i, 'another user, no caller'],
  [/\bhangs? up\b/i, 'disconnects'],
  [/\bgoes for\b/i, 'applies to'],
  [/\btakes? back\b/i, 'removes, reverts'],
  [/\bin the words of\b/i, 'with the message of'],
  [/\bfrom elsewhere\b/i, 'external'],
  [/\bowner's code\b/i, 'project code'],
  [/\bbeside others\b/i, 'other systems'],
  [/\bcannot work here\b/i, 'is not supported'],
];

/** Names of variables, functions and types that say nothing of what they hold, and what to write instead. */
const bannedNames: Readonly<Record<string, string>> = {
  known: 'the thing itself: cached, existing, supportedNames',
  given: 'input, options, args',
  asked: 'request',
  wanted: 'requested, expected',
  told: 'reported, message',
  said: 'message, complaint',
  tell: 'report, onProgress',
  soon: 'primary',
  later: 'deferred',
  gone: 'removed',
  whole: 'all, complete',
  comers: 'added',
  goers: 'removed',
  losers: 'ownersToUnlink',
  unmet: 'failed',
  usual: 'defaultLocale, defaultValue',
  untaken: 'skipped',
  mend: 'repair',
  mender: 'repair',
  moment: 'timestamp, dateTime',
  patience: 'timeoutMs',
  recipient: 'signal',
  most: 'max',
  least: 'min',
  atOnce: 'concurrency',
  LONGEST: 'MAX_LENGTH',
  DEEPEST: 'MAX_DEPTH',
  SHORTEST: 'MIN_LENGTH',
  OLDEST: 'MAX_AGE_MS',
  SLOWEST: 'TIMEOUT_MS',
  PATIENCE: 'TIMEOUT_MS',
  REMEMBERED: 'CACHE_SIZE, TTL_MS',
  NOBODY: 'DUMMY_HASH',
  LOOK: 'POLL_INTERVAL_MS',
  PAUSE: 'RETRY_INTERVAL_MS',
  LAST: 'SHUTDOWN_MARGIN_MS',
  HELD: 'REFUSAL_DELAY_MS',
  SOON: 'PING_TIMEOUT_MS',
  ABANDONED: 'INTENT_EXPIRY_MS',
  PLACE: 'CURSOR',
  asker: 'requester, context',
  Asker: 'Requester',
  tellers: 'workers',
  answerLimit: 'responseLimit',
  answerTooLong: 'responseTooLong',
  longestWait: 'queueTimeoutMs',
  tellAvailability: 'reportAvailability',
  everything: 'unbounded',
  room: 'module, namespace',
  head: 'header, headers, args',
  forget: 'clear, remove',
  settled: 'done',
  neighbour: 'anchor',
  comeBack: 'handleCallback',
  plantTree: 'buildPermissionTree',
  Departure: 'AuthorizationRedirect',
  Arrival: 'CallbackResult',
  Unusual: 'Unsupported',
  Breach: 'Violation',
  strays: 'unexpectedFields',
  found: 'what it is: entries, rows, match, file, cached',
  one: 'what it is: entry, element, link, value',
  place: 'path, folder, position, location',
  Found: 'what it is',
  Place: 'Position, Location',
  orFound: 'reuseRootResult',
  isSole: 'isExclusive',
};

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

/** The comments of a file without its code, in the same lines. */
const commentsOf = (text: string): string =>
  text
    .split(/(\/\*[\s\S]*?\*\/|^[ \t]*\/\/.*$)/m)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/[^\n]/g, '')))
    .join('');

/** A declaration in tests or scripts with one of the names that say nothing of what they hold. */
const badDeclaration = /\b(?:const|let|function) (?:known|given|asked|wanted|told|said|meant|shown)\b/;

const namesOfTests = ['tests', 'scripts'].flatMap((folder) =>
  readdirSync(folder, { recursive: true })
    .map((name) => `${folder}/${String(name)}`)
    .filter((name) => /\.(?:ts|mjs)$/.test(name)),
);

const sources = readSourceFiles().map(({ name, text }) => ({ name: `src/${name}`, text }));
const files = [...sources, ...readEditorFiles()].map(({ name, text }) => {
  const tree = parse(text, name.endsWith('.tsx'));
  return { name, text, strings: stringsOf(tree), declaredNames: declaredNamesIn(tree) };
});

describe('plain English', () => {
  test.each(pages)('in %s', (page) => {
    expect(offences(proseOf(page), page)).toEqual([]);
  });

  test('in the messages of the program', () => {
    const strings = files.flatMap(({ name, strings }) => strings.map((message) => ({ name, message })));
    expect(strings.length).toBeGreaterThan(1000);
    expect(strings.flatMap(({ name, message }) => offences(message, name))).toEqual([]);
  });

  test('in comments', () => {
    const comments = files.map(({ name, text }) => ({ name, comment: commentsOf(text) }));
    expect(comments.flatMap(({ name, comment }) => offences(comment, name))).toEqual([]);
  });

  test('in the names of variables, functions and types', () => {
    expect(files.length).toBeGreaterThan(500);
    const offenders = files.flatMap(({ name, declaredNames }) =>
      declaredNames
        .filter((declared) => Object.hasOwn(bannedNames, declared))
        .map((declared) => `${name}: ${declared} -> ${bannedNames[declared]}`),
    );
    expect(offenders).toEqual([]);
  });

  test('in the names of variables and functions of tests and scripts', () => {
    expect(namesOfTests.length).toBeGreaterThan(400);
    expect(namesOfTests.filter((name) => badDeclaration.test(readFileSync(name, 'utf8')))).toEqual([]);
  });

  test('detects banned expressions and every kind of declared name', () => {
    expect(offences('first\nit is told anew', 'page')).toHaveLength(2);
    expect(stringsOf(parse("log('a b', `c ${d} e`, 'word'); // is no comment"))).toEqual(['a b', 'c ', ' e']);
    const code =
      'const { a, b: c = 1, ...d } = x; function e([f]: T, g = (h) => h) {} interface I {} type J = 1; class K {}';
    expect(declaredNamesIn(parse(code)).toSorted()).toEqual(['I', 'J', 'K', 'a', 'c', 'd', 'e', 'f', 'g', 'h']);
  });
});
