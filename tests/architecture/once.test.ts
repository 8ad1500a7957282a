import { expect, test } from '@jest/globals';
import { readSourceFiles } from './source-files.js';

/** Code that exists once: how a copy of it begins, and the only file that may have it. */
const once: readonly (readonly [what: string, copy: RegExp, file: string])[] = [
  ['the predicate of records', /typeof (\w+) === 'object' && \1 !== null && !Array\.isArray\(\1\)/, 'config/record.ts'],
  ['the type Data', /\btype Data = /, 'config/record.ts'],
  ['the type of attributes by name', /= ReadonlyMap<string, Attribute>/, 'content-types/model/types.ts'],
  ['the component of a value', /\.components(?:\.get\(|\[)[^;]*__component/, 'content-types/model/walk.ts'],
  // Project code sees models, which it can change, instead of linked content types.
  [
    'the model of a value',
    /\b(?:find|getModel|contentType|component)\((?:String|textOf)\([^;]*__component/,
    'strapi/utilities/sanitize/traverse-entity.ts',
  ],
  ['the interface of a logger', /\b(?:info|warn|error)\(\w+: [^)]*\): void/, 'errors/logger.ts'],
  ['the limit that means no limit', /2_147_483_647/, 'query/ast.ts'],
  ['the stored form of relations', /_(?:rank|refs)\b/, 'mongo/stored/relation.ts'],
  ['the list that is no field when empty', /'\$\$REMOVE', '\$\$list'/, 'mongo/compile/write/reference-removal.ts'],
];

const files = readSourceFiles();

test.each(once)('%s exists once', (_what, copy, file) => {
  const copies = files.filter(({ text }) => copy.test(text));
  expect(copies.map(({ name }) => name)).toEqual([file]);
});

/** Folders whose errors are ours, with a code and rules; elsewhere only the words of others tell errors apart. */
const own = /^(?:documents|rest|plugins\/(?:i18n|upload|versions|users-permissions\/users)|query|mongo)\//;
const words = /\bmessage(?:\.(?:endsWith|startsWith|includes|match)\(| [!=]== ['`/])|\.test\((?:\w+\.)?message\)/;

test('code asks for the rule of an issue, not for the words of its message', () => {
  expect(files.filter(({ name, text }) => own.test(name) && words.test(text)).map(({ name }) => name)).toEqual([]);
});
