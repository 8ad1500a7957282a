import { beforeAll, expect, test } from '@jest/globals';
import type { ContentType } from '../../../../src/content-types/model/types.js';
import { system } from '../../../../src/documents/caller.js';
import { imposePublicationState } from '../../../../src/documents/interceptors.js';
import { compileQuery } from '../../../../src/mongo/compile/read/compile-query.js';
import { fullScanOf, indexedPaths } from '../../../../src/mongo/read/natural-order.js';
import { loadCorpus, parse, typeOf } from '../../../support/golden.js';

let type: ContentType;
beforeAll(async () => {
  const article = typeOf(await loadCorpus('tests/fixtures/corpus/content-types'), 'article');
  type = { ...article, indexes: [{ rating: 1, views: -1 }] };
});

const scanOf = (query: string) => {
  const published = imposePublicationState(parse(query, type), { action: 'find', caller: system });
  return fullScanOf(indexedPaths(type), compileQuery(published).main);
};

test.each([
  '',
  'sort=id:desc',
  'pagination[page]=3',
  'sort=rating',
  'filters[rating][$gt]=3',
  'filters[slug][$containsi]=one',
  'filters[id][$in][0]=3&sort=title',
  'filters[author]=3&sort=title',
  'filters[author][name]=Ada',
  'filters[title][$contains]=x&filters[rating]=3',
  'filters[$or][0][rating]=1&filters[$or][1][author]=2',
])('an index may serve %s', (query) => {
  expect(scanOf(query)).toBeUndefined();
});

test.each([
  ['sort=title', { sorts: true, filters: false }],
  // Only entries that have one are in the index of unique values.
  ['sort=slug', { sorts: true, filters: false }],
  ['sort=seo.metaTitle', { sorts: true, filters: false }],
  ['filters[title][$contains]=x', { sorts: false, filters: true }],
  ['filters[title][$contains]=x&sort=rating', { sorts: false, filters: true }],
  ['filters[title][$contains]=x&sort=title', { sorts: true, filters: true }],
  ['sort=author.name', { sorts: true, filters: false }],
  ['filters[title][$contains]=x&sort=author.name', { sorts: true, filters: true }],
  ['filters[$or][0][rating]=1&filters[$or][1][title]=x', { sorts: false, filters: true }],
  ['filters[$not][title][$contains]=x', { sorts: false, filters: true }],
  ['filters[seo][metaTitle]=x', { sorts: false, filters: true }],
  ['_q=x', { sorts: false, filters: true }],
])('a list with %s reads every listed entry', (query, scan) => {
  expect(scanOf(query)).toEqual({ ...scan, listed: { _live: 1 } });
});
