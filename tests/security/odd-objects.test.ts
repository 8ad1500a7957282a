import { beforeAll, describe, expect, test } from '@jest/globals';
import { useService } from '../support/service.js';
import { expectRefusedToo } from './as-assistant.js';
import { asStrapi5Document, expectNotWritten } from './as-strapi5.js';
import { sendRaw } from './send-raw.js';

/** Objects that JavaScript cannot convert to a text or a number are bad input like any other. */
const client = useService({ plugins: { mcp: true, strapi5: true }, environment: { DEEP_POPULATE: '3' } });
const odd = { toString: 1, valueOf: 1 };

let article = 0;
beforeAll(async () => {
  await client.create('authors', { name: 'Ann' });
  article = await client.create('articles', { title: 'One', slug: 'one' });
});

async function statusOf(method: 'POST' | 'PUT', path: string, body: unknown): Promise<number> {
  const text = JSON.stringify(body);
  const answer = await sendRaw(client.service, path, { method, body: text });
  await expectRefusedToo(client.service, path, text, answer);
  await expectNotWritten(client.service, path, text, answer);
  return answer.status;
}

test.each([
  ['/api/users-permissions/roles', { name: odd }],
  ['/api/users-permissions/roles', { name: 'x', type: odd }],
  ['/api/users-permissions/roles', { name: 'x', description: odd, permissions: odd }],
  ['/api/users', { email: odd, username: odd, password: odd, role: odd }],
  ['/api/users', { email: 'a@b.test', username: 'abc', password: 'secret', role: { connect: [{ id: odd }] } }],
  ['/api/auth/local', { identifier: odd, password: odd }],
  ['/api/auth/local/register', { email: odd, username: odd, password: odd }],
  ['/api/articles', { data: { title: odd } }],
  ['/api/articles', { data: { title: 'x', publishedAt: odd } }],
  ['/api/articles', { data: { title: 'x', views: odd } }],
  ['/api/articles', { data: { title: 'x', blocks: [{ __component: odd }] } }],
  ['/api/articles', { data: { title: 'x', blocks: [{ __component: [odd] }] } }],
  ['/api/articles', { data: { title: 'x', tags: [odd] } }],
  ['/api/articles', { data: { title: 'x', tags: { connect: [{ id: 1, position: { before: odd } }] } } }],
  ['/api/articles', { data: { title: 'x', cover: odd, locale: odd } }],
  ['/api/comments', { data: { text: 'x', subject: { __type: odd, id: odd } } }],
  ['/api/comments', { data: { text: 'x', subject: [odd] } }],
  ['/api/products', { data: { sku: odd, name: odd, price: odd, serial: odd } }],
  ['/api/pages', { data: { title: 'x', path: 'x', locale: odd } }],
  ['/api/batch', { operations: odd }],
  ['/api/batch', { operations: [odd] }],
  ['/api/batch', { operations: [{ create: odd, data: odd }] }],
  ['/api/batch', { operations: [{ create: 'articles', data: odd, as: odd }] }],
  ['/api/batch', { operations: [{ update: 'articles', id: odd, data: {} }] }],
  ['/api/batch', { operations: [{ update: 'articles', id: 1, data: { author: { connect: [odd] } }, ifMatch: odd }] }],
  ['/api/content-api/api-tokens', { name: odd, permissions: odd, lifespan: odd }],
  ['/api/upload', { fileInfo: odd, ref: odd, refId: odd, field: odd }],
])('POST %s %j is refused', async (path, body) => {
  const status = await statusOf('POST', path, body);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
});

test.each([
  { links: [{ id: odd, label: 'x' }] },
  { links: [{ id: [odd], label: 'x' }] },
  { blocks: [{ __component: odd }] },
])('PUT of an article with %j is refused', async (data) => {
  expect(await statusOf('PUT', `/api/articles/${article}`, { data })).toBe(400);
});

test.each([
  ['/api/articles/by/slug/one', { data: { slug: odd } }],
  ['/api/articles/by/slug/one', { data: { slug: [odd] } }],
])('PUT %s %j is refused', async (path, body) => {
  const status = await statusOf('PUT', path, body);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
});

test.each([
  'filters[title]',
  'filters[title][$eq]',
  'filters[title][$in][0]',
  'filters[author]',
  'sort',
  'sort[0]',
  'fields',
  'fields[0]',
  'populate',
  'populate[0]',
  'populate[author]',
  'populate[author][fields][0]',
  'populate[author][populate][0]',
  'populate[blocks][on][blocks.quote]',
  'pagination[page]',
  'pagination[limit]',
  'pagination[withCount]',
  'locale',
  'locale[0]',
  'publicationState',
  'status',
  'modified',
  'publicationFilter',
  'hasPublishedVersion',
  '_q',
  'dryRun',
])('in a query: %s', async (name) => {
  for (const path of [
    '/api/articles',
    '/v5/api/articles',
    '/v5/api/articles/c0123456789012345678901a',
    '/v5/api/homepage',
  ])
    for (const key of ['toString', 'valueOf', 'length', 'toJSON']) {
      const { status, text } = await sendRaw(client.service, `${path}?${name}[${key}]=1`);
      expect([path, key, status < 500, text.includes('Internal Server Error')]).toEqual([path, key, true, false]);
    }
});

describe('over GraphQL', () => {
  const mutation = 'mutation ($data: ArticleInput!) { createArticle(data: $data) { data { id } } }';
  test.each([
    { query: '{ articles { data { id } } }', operationName: [odd] },
    { query: '{ articles { data { id } } }', operationName: odd },
    { query: [odd] },
    { query: odd, variables: odd, extensions: odd },
    { query: '{ articles { data { id } } }', extensions: { persistedQuery: { version: odd, sha256Hash: odd } } },
    { query: 'query ($id: ID) { article(id: $id) { data { id } } }', variables: { id: odd } },
    { query: mutation, variables: { data: { title: odd } } },
    { query: mutation, variables: { data: { title: 'x', blocks: [{ __typename: odd }] } } },
    { query: mutation, variables: { data: { title: 'x', blocks: [{ __typename: [odd] }] } } },
    { query: mutation, variables: { data: { title: 'x', blocks: [{ __typename: 'ComponentBlocksText', content: odd }] } } },
    { query: 'mutation ($data: ProductInput!) { createProduct(data: $data) { data { id } } }', variables: { data: { serial: [odd] } } },
    { query: 'query ($f: ArticleFiltersInput) { articles(filters: $f) { data { id } } }', variables: { f: { title: { in: [odd] } } } },
    { query: 'query ($f: ProductFiltersInput) { products(filters: $f) { data { id } } }', variables: { f: { serial: { eq: [odd] } } } },
    { query: 'query ($s: [String]) { articles(sort: $s) { data { id } } }', variables: { s: [odd] } },
    { query: 'query ($p: PaginationArg) { articles(pagination: $p) { data { id } } }', variables: { p: { page: odd } } },
  ])('%j is refused', async (body) => {
    for (const [path, sent] of [['/graphql', JSON.stringify(body)], ['/v5/graphql', asStrapi5Document(JSON.stringify(body))]] as const) {
      const { status, text } = await sendRaw(client.service, path, { method: 'POST', body: sent });
      expect(status).toBeLessThan(500);
      expect(text).toMatch(/error|must be strings/);
      expect(text).not.toMatch(/Internal Server Error|Cannot convert/);
    }
  }); // prettier-ignore
});
