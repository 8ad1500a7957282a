import { beforeAll, expect, test } from '@jest/globals';
import type { Attribute, ContentType } from '../../../src/content-types/model/types.js';
import { hintsOf, hintsOfData } from '../../../src/query/hints.js';
import { parseQueryString } from '../../../src/calls/query-string.js';
import { loadCorpus, typeOf } from '../../support/golden.js';

let article: ContentType;
let author: ContentType;
beforeAll(async () => {
  const registry = await loadCorpus();
  [article, author] = [typeOf(registry, 'article'), typeOf(registry, 'author')];
});
const hints = (query: string): readonly string[] => hintsOf(parseQueryString(query), article);

test.each([
  ['filters[title][$contain]=x', 'filters[title][$contain]; did you mean $contains?'],
  ['filters[title][contains]=x', 'filters[title][contains]; did you mean $contains?'],
  ['filters[$or][0][titel]=x', 'filters[$or][titel]; did you mean title?'],
  ['filters[author][nam][$eq]=x', 'filters[author][nam]; did you mean name?'],
  ['filters[title][$not][$eqq]=x', 'filters[title][$not][$eqq]; did you mean $eq?'],
  ['filter[title]=x', 'filter; did you mean filters?'],
  ['populate=autor', 'populate=autor; did you mean author?'],
  ['populate[0]=author&populate[1]=tag', 'populate=tag; did you mean tags?'],
  ['populate=author.avatr', 'populate=author.avatr; did you mean avatar?'],
  ['populate[author][field]=name', 'populate[author][field]; did you mean fields?'],
  ['populate[author][fields]=nam', 'populate[author][fields]=nam; did you mean name?'],
  ['local=en', 'local; did you mean locale?'],
  ['populate[author][fallbackLocal]=en', 'populate[author][fallbackLocal]; did you mean fallbackLocale?'],
  ['pagination[pagesize]=2', 'pagination[pagesize]; did you mean pageSize?'],
  ['sort=titel:asc', 'sort=titel; did you mean title?'],
  ['fields=title,sumary', 'fields=sumary; did you mean summary?'],
  ['limit=5', 'limit; did you mean pagination[limit]?'],
  ['_start=5', '_start; did you mean pagination[start]?'],
  ['where[title]=x', 'where; did you mean filters?'],
  ['populate=banner', 'populate=banner'],
  ['populate[banner]=true', 'populate[banner]'],
  ['populate[author][zzz]=1', 'populate[author][zzz]'],
  ['pagination[zzz]=2', 'pagination[zzz]'],
  ['locale=xx', 'locale=xx'],
  ['locale=EN', 'locale=EN; did you mean en?'],
])('%s: %s', (query, expected) => {
  expect(hints(query)).toEqual([expected]);
});

test.each([
  'filters[title][$contains]=x&populate[author][fields]=name&sort=title:desc,id&pagination[pageSize]=5&locale=en',
  'filters[author][name][$null]=true&filters[$and][0][id][$in]=1&populate=*&fields=*&publicationState=preview',
  'populate=author,tags&populate[blocks][on][blocks.quote]=true&cacheBuster=123&utm_source=x&_q=bread',
  'filters=x&populate=&sort=&pagination=3&fields[0]=&populate[author]=true',
  '',
])('nothing to say about %s', (query) => {
  expect(hints(query)).toEqual([]);
});

test('a request has few and short hints', () => {
  const names = Array.from({ length: 50 }, (_, index) => `pagination[pagesize${' '.repeat(index % 3)}]=1`);
  expect(hints(names.join('&')).length).toBeLessThanOrEqual(5);
  expect(hints(`filters[${'title'.repeat(1000)}]=1`)).toEqual([]);
});

test.each([
  [{ titel: 'x', title: 'y' }, ['titel; did you mean title?']],
  [{ zzz: 1 }, ['zzz']],
  [{ id: 1, title: 'x', createdAt: 'x' }, []],
  [{ blocks: [{ __component: 'blocks.quote', txt: 'x' }, 'no object'] }, ['blocks.0.txt; did you mean text?']],
  [{ author: { nam: 'x' } }, []],
  ['no object', []],
])('of the data %j nothing is stored of %j', (data, expected) => {
  expect(hintsOfData(data, article)).toEqual(expected);
});

test('after the last hint no name is compared any more', () => {
  let compared = 0;
  const attributes = Object.assign(new Map(article.attributes), {
    keys: () => {
      compared += 1;
      return article.attributes.keys();
    },
  });
  const data = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`zzz${index}`, index]));
  expect(
    hintsOfData({ blocks: [{ __component: 'blocks.quote', ...data }], ...data }, { ...article, attributes }).length,
  ).toBe(5);
  expect(compared).toBe(0);
  expect(hintsOfData(data, { ...article, attributes }).length).toBe(5);
  expect(compared).toBe(5);
});

test('only localized entries store a locale', () => {
  const attributes = new Map(article.attributes).set('locale', article.attributes.get('title') as Attribute);
  expect(hintsOfData({ title: 'x', locale: 'en' }, { ...article, attributes })).toEqual([]);
  expect(hintsOfData({ name: 'x', locale: 'en' }, author)).toEqual(['locale']);
});

test('a file for no attribute is named', () => {
  expect(hintsOfData({}, article, ['files.covr', 'files.cover'])).toEqual(['files.covr; did you mean cover?']);
});
