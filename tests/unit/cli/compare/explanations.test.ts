import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { nameOf } from '../../../../src/cli/commands/compare/requests.js';
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
  ['GET /api/articles', 'status: Strapi 200, this service 401', undefined],
  ['POST /graphql {"query":"{ articles { data { id } } }"}', 'status: Strapi 200, this service 401', undefined],
  ['POST /graphql (Authorization: Basic …) {"query":"{ articles { data { id } } }"}', 'status: Strapi 200, this service 401', '`Authorization: Basic …`, or without a token'],
  ['POST /graphql query=%7B%20me%20%7D', 'status: Strapi 200, this service 400', 'bodies of the type `application/x-www-form-urlencoded`'],
  ['GET /api/articles?filters[title]=%', 'data: number of elements', undefined],
])('%s: %s', (request, cause, rule) => {
  expect(explain(request, difference(cause))).toBe(rule);
}); // prettier-ignore

test.each([
  ['Basic YTpi', 'GET /graphql (Authorization: Basic …)'],
  ['Bearer', 'GET /graphql (Authorization: Bearer …)'],
  ['Bearer secret', 'GET /graphql'],
  [undefined, 'GET /graphql'],
])('a request with the authorization %j is named %j, without credentials', (authorization, name) => {
  expect(nameOf({ method: 'GET', path: '/graphql', authorization })).toBe(name);
});
