import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { readSourceFiles } from './source-files.js';

const section = /^## Terms\n[^]*?(?=^## )/m.exec(readFileSync('CONTRIBUTING.md', 'utf8'))?.[0] ?? '';

/** The rows of the glossary: a term, and the name that a file exports for it. */
const terms = [...section.matchAll(/^\| (.+?) +\| .+ \| (.+?) +\|$/gm)]
  .map(([, term = '', place = '']) => ({ term, place }))
  .filter(({ term }) => term !== 'Term' && !term.startsWith('-'));
const texts = new Map(readSourceFiles().map(({ name, text }) => [name, text]));

/** Whether a place, such as "`Query` in `query/ast.ts`", is a declaration that its file exports. */
function isExported(place: string): boolean {
  const [, name = '', file = ''] = /^`(\w+)` in `([^`]+)`$/.exec(place) ?? [];
  const declaration = new RegExp(`^export (?:async )?(?:interface|type|class|const|function) ${name}\\b`, 'm');
  return name !== '' && declaration.test(texts.get(file) ?? '');
}

test('each term of the glossary is exported by the file that it names', () => {
  expect(terms.length).toBeGreaterThan(20);
  expect(terms.filter(({ place }) => !isExported(place))).toEqual([]);
});

test('no term stands in the glossary twice', () => {
  const names = terms.map(({ term }) => term);
  expect(names).toEqual([...new Set(names)]);
});

const comment = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/gm;
/** A name in backticks that is no word of the language: it has a capital inside. */
const quoted = /`([a-z]\w*[A-Z]\w*)(?:\(\))?`/g;

/** Names of other programs, and of examples, which comments quote. */
const foreign: ReadonlySet<string> = new Set([
  'afterCount',
  'afterFindMany',
  'createJoinTable',
  'currentOp',
  'defaultSanitizeSort',
  'fooBar',
  'getUsersId',
  'myThing',
  'ratingCount',
  'resolveType',
]);

test('the names that comments quote are names of the code', () => {
  const words = new Set(
    [...texts.values()].flatMap((text) => text.replace(comment, ' ').match(/[A-Za-z_$][\w$]*/g) ?? []),
  );
  const stale = [...texts].flatMap(([file, text]) =>
    (text.match(comment) ?? [])
      .flatMap((each) => [...each.matchAll(quoted)].map(([, name = '']) => name))
      .filter((name) => !words.has(name) && !foreign.has(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(stale).toEqual([]);
});
