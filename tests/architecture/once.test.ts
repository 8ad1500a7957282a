import { expect, test } from '@jest/globals';
import { readPackageFiles, readSourceFiles } from './source-files.js';

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

/** The only files that create indexes, and of which collections. */
const creators: Readonly<Record<string, string>> = {
  'mongo/indexes/indexes.ts': 'entries: what each start needs',
  'mongo/indexes/on-demand-indexes.ts': 'entries: what is needed later',
  'mongo/maintenance/migrate/change-dialect.ts': 'entries: copies of their indexes',
  'mongo/maintenance/migrate/move-relation.ts': 'entries: one of each start, before it',
  'mongo/maintenance/import-workspace.ts': 'a collection of its own, as all of these',
  'mongo/maintenance/staged-links.ts': '_import_links',
  'mongo/coordination/idempotency-keys.ts': '_idempotency_keys',
  'mongo/coordination/presence.ts': '_presence',
  'mongo/coordination/rate-limits.ts': '_rate_limits',
  'mongo/events/event-log.ts': '_events',
  'mongo/events/webhook-records.ts': '_webhook_deliveries',
  'mongo/probes/feature-probes.ts': 'those of a database of its own',
};

test('indexes of entries are created where the names of all of them are known', () => {
  const found = files.filter(({ text }) => /\.createIndex(?:es)?\(|\bcreateIndexes:/.test(text));
  expect(found.map(({ name }) => name).toSorted()).toEqual(Object.keys(creators).toSorted());
});

const words =
  /(?<!typeof )\b(?:message|issue)(?:\.(?:endsWith|startsWith|includes|match|split|indexOf|lastIndexOf|slice)\(| [!=]== ['`/])|\.(?:test|exec)\((?:\w+\.)?message\)/;

/** The only files that read messages, and whose these are. */
const readers: Readonly<Record<string, string>> = {
  'src/cli/commands/import/read/open-archive.ts': 'zlib and tar',
  'src/config/plugins/place-messages.ts': 'StartError, a line of which begins with a place in a file',
  'src/config/project/load-module.ts': 'Node.js',
  'src/graphql/http/format-errors.ts': 'graphql',
  'src/plugins/content-type-builder/change-definitions.ts': 'StartError, a line of which begins with a place in a file',
};

test('code asks for the code of an error and the rule of an issue, not for the words of a message', () => {
  const core = files.map(({ name, text }) => ({ name: `src/${name}`, text }));
  const found = [...core, ...readPackageFiles()].filter(({ text }) => words.test(text));
  expect(found.map(({ name }) => name).toSorted()).toEqual(Object.keys(readers).toSorted());
});
