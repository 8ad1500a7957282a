import { expect, test } from '@jest/globals';
import { createCompiledQueries } from '../../../../src/mongo/read/entry-reads.js';
import { compileQuery } from '../../../../src/mongo/compile/read/compile-query.js';
import { withId, type Query } from '../../../../src/query/ast.js';
import { createEntryParser } from '../../../../src/rest/read-actions.js';
import { asked, limits, loadCorpus, parse, typeOf } from '../../../support/golden.js';

const registry = loadCorpus();
const selections = [
  ['article', ''],
  ['article', 'fields=title'],
  ['article', 'populate=*'],
  ['article', 'populate=deep,3'],
  ['article', 'populate[tags][filters][name][$contains]=a&populate[tags][sort]=name'],
  ['article', 'populate[author][populate][articles][fields]=title'],
  ['page', 'populate=localizations'],
] as const;

test.each(selections)('the plan of an entry of %s with "%s" is that of the query with its id', async (name, text) => {
  const { query } = createEntryParser(limits)(typeOf(await registry, name), asked(text));
  const compiled = createCompiledQueries();
  for (const id of [7, 8]) expect(compiled.plan({ query, id })).toEqual(compileQuery(withId(query, id)));
});

test('a further condition stays in the plan of an entry', async () => {
  const query: Query = parse('filters[author][name]=a&filters[title]=b', typeOf(await registry, 'article'));
  expect(createCompiledQueries().plan({ query, id: 7 })).toEqual(compileQuery(withId(query, 7)));
});

test('a query is compiled once for all entries', async () => {
  const { query } = createEntryParser(limits)(typeOf(await registry, 'article'), asked('populate=*'));
  const compiled = createCompiledQueries();
  expect(compiled.plan({ query, id: 7 }).main.lookups).toBe(compiled.plan({ query, id: 8 }).main.lookups);
});
