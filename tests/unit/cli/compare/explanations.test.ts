import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { explain, explanations } from '../../../../src/cli/commands/compare/explanations.js';

const difference = (cause: string) => ({ cause, at: '', reference: '', ours: '' });

test('each rule is on the page', () => {
  const page = readFileSync('docs/compatibility.md', 'utf8').replaceAll(/\s+/g, ' ');
  expect(explanations.map(({ rule }) => rule).filter((rule) => !page.includes(rule))).toEqual([]);
});

test.each([
  ['GET /api/articles?filters[title][$contains]=50%25', 'data: number of elements', '`%` and `_` in `$contains` and similar operators'],
  ['GET /api/articles', 'status: Strapi 500, this service 200', 'requests that Strapi v4 answers with 500'],
  ['GET /api/articles/1', 'meta.availableLocales: only in this service', '`meta.availableLocales` of a localized entry'],
  ['GET /api/articles', 'data[].attributes.category.data.meta: only in this service', '`meta.availableLocales` of a localized entry'],
  ['GET /api/articles', 'data[].attributes.title: different value', undefined],
  ['GET /api/articles?filters[title]=%', 'data: number of elements', undefined],
])('%s: %s', (request, cause, rule) => {
  expect(explain(request, difference(cause))).toBe(rule);
}); // prettier-ignore
