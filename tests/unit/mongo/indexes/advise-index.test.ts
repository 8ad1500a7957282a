import { beforeAll, expect, test } from '@jest/globals';
import type { ContentType, IndexKeys } from '../../../../src/content-types/model/types.js';
import { adviseIndex } from '../../../../src/mongo/indexes/advise-index.js';
import { compile, loadCorpus, typeOf } from '../../../support/golden.js';

let type: ContentType;
beforeAll(async () => {
  type = typeOf(await loadCorpus('tests/fixtures/corpus/content-types'), 'article');
});

const indexed = (): ContentType => ({ ...type, indexes: [{ rating: 1, views: -1 }, { views: -1 }] });
const advise = (query: string, of = indexed()) => adviseIndex(of, compile(query, of).main);

test.each([
  '',
  'sort=id:desc',
  'sort=views:desc',
  'sort=rating&sort=views:desc',
  'filters[rating]=3&sort=views:desc',
  'filters[rating]=3',
  'filters[views][$lt]=3&filters[title][$contains]=x',
  'filters[slug]=one',
  'filters[id]=3',
  'filters[id][$in][0]=3&sort=title',
  'filters[author]=3',
  'filters[author][name]=Ada',
  'filters[$or][0][views]=1&filters[$or][1][author]=2',
])('a page with %s needs no further index', (query) => {
  expect(advise(query)).toBeUndefined();
});

const sorting = 'The sort reads every entry that the filter matches';
const filtering = 'The filter reads entries until the page is full, and all entries for the total';

test.each<readonly [query: string, cost: string, keys: IndexKeys]>([
  ['sort=title', sorting, { title: 1 }],
  // An index is not read backwards, because equal entries are in ascending order of their ids.
  ['sort=views', sorting, { views: 1 }],
  ['sort=title:desc&sort=slug', sorting, { title: -1, slug: 1 }],
  ['sort=slug', sorting, { slug: 1 }],
  ['filters[title]=One&sort=views', sorting, { title: 1, views: 1 }],
  ['filters[title]=One', filtering, { title: 1 }],
  ['filters[title][$startsWith]=One', filtering, { title: 1 }],
  ['filters[publishedAt][$gt]=2024-01-01', filtering, { publishedAt: 1 }],
  ['filters[publishedAt][$gt]=2024-01-01&filters[title]=One', filtering, { title: 1 }],
])('a page with %s is served by an index that it names', (query, cost, keys) => {
  expect(advise(query)).toBe(`${cost}; declare an index in options.indexes of ${type.uid}: ${JSON.stringify(keys)}`);
  const declared = { ...indexed(), indexes: [...indexed().indexes, keys] };
  expect(advise(query, declared)).toBeUndefined();
});

test.each([
  ['sort=author.name', `${sorting}; no index can serve it, because its values are not those of the entry itself`],
  ['sort=seo.metaTitle', `${sorting}; no index can serve it, because its values are not those of the entry itself`],
  ['_q=one', `${filtering}; no index can serve it`],
  ['filters[title][$contains]=one', `${filtering}; no index can serve it`],
  ['filters[title][$startsWithi]=one', `${filtering}; no index can serve it`],
  ['filters[title][$ne]=one', `${filtering}; no index can serve it`],
])('no index can serve %s', (query, advice) => {
  expect(advise(query)).toBe(advice);
});
