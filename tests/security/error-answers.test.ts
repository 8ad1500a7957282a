import { beforeAll, describe, expect, test } from '@jest/globals';
import { useService } from '../support/service.js';
import { asStrapi5Document } from './as-strapi5.js';
import { sendRaw } from './send-raw.js';

/** Errors quote the request. All rights lift no rule of these. */
const client = useService({ plugins: { 'users-permissions': { config: { rateLimit: false } }, strapi5: true } });
/** The addresses of Strapi v4, and of Strapi 5. */
const doors = ['', '/v5'];

/** Bytes of an answer, whatever the request contains. */
const LONGEST = 16_384;

const many = <T>(value: T, count = 200_000): readonly T[] => Array.from({ length: count }, () => value);
const deep = (value: unknown, levels: number): unknown =>
  Array.from({ length: levels }).reduce<unknown>((inner) => [inner], value);
const control = '\u0001';
const unknownActions = Object.fromEntries(
  many('', 5000).map((_, index) => [`action${index}${control.repeat(100)}`, { enabled: true }]),
);

let author = 0;
beforeAll(async () => {
  author = await client.create('authors', { name: 'Ann' });
});

const bodies: readonly (readonly [string, string, unknown])[] = [
  ['a list of 100 levels for a login', '/api/auth/local', { identifier: deep(many(0), 99), password: 'x' }],
  ['lists for a registration', '/api/auth/local/register', { email: many('x'), username: many([]), password: many({}) }],
  ['a list for a forgotten password', '/api/auth/forgot-password', { email: deep(many(0), 99) }],
  ['a list for a reset password', '/api/auth/reset-password', { code: many(1), password: many(1) }],
  ['a list in place of data', '/api/articles', { data: deep(many(0), 99) }],
  ['a list in place of a string', '/api/articles', { data: { title: many({ a: 1 }, 50_000) } }],
  ['control characters in place of a number', '/api/articles', { data: { title: 'x', views: control.repeat(100_000) } }],
  ['wrong components', '/api/articles', { data: { title: 'x', links: many(0) } }],
  ['long wrong components', '/api/articles', { data: { title: 'x', links: many('ü'.repeat(300), 1000) } }],
  ['components without their values', '/api/articles', { data: { title: 'x', links: many({}) } }],
  ['elements of a zone that are no components', '/api/articles', { data: { title: 'x', blocks: many(0) } }],
  ['components that do not exist', '/api/articles', { data: { title: 'x', blocks: many({ __component: 'a.b' }, 10_000) } }],
  ['actions that do not exist', '/api/users-permissions/roles', { name: 'x', permissions: { a: { controllers: { b: unknownActions } } } }],
  ['wrong names of a token', '/api/content-api/api-tokens', { name: many(0), permissions: many('x') }],
  ['an unknown operation of a batch', '/api/batch', { operations: [{ action: control.repeat(100_000) }] }],
  ['wrong data in a batch', '/api/batch', { operations: [{ action: 'create', type: 'articles', data: { links: many(0) } }] }],
]; // prettier-ignore

test.each(bodies)('S77: the answer to %s is short', async (_, path, body) => {
  for (const door of doors) {
    const { status, text } = await sendRaw(client.service, door + path, { method: 'POST', body: JSON.stringify(body) });
    expect([door, status]).toEqual([door, expect.any(Number)]);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect([door, Buffer.byteLength(text) <= LONGEST, text.slice(0, 300)]).toEqual([door, true, text.slice(0, 300)]);
  }
});

const encoded = encodeURIComponent(control).repeat(5000);
test.each([
  `/api/articles?sort=${encoded}`,
  `/api/articles?filters[${encoded}]=1`,
  `/api/articles?filters[blocks][$on][${encoded}][text]=1`,
  `/api/articles?fields=${encoded}`,
  `/api/articles?populate[author][sort]=${encoded}`,
])('a long name in a query: the answer is short (%#)', async (path) => {
  for (const door of doors) {
    const { status, text } = await sendRaw(client.service, door + path);
    expect(status).toBe(400);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LONGEST);
  }
});

describe('over GraphQL', () => {
  const mutation = 'mutation ($data: ArticleInput!) { createArticle(data: $data) { data { id } } }';
  test.each([
    ['wrong components in a variable', mutation, { data: { title: 'x', links: many(0, 1000) } }],
    ['unknown names in a variable', mutation, { data: Object.fromEntries(many(0, 100).map((_, i) => [control.repeat(80) + i, 1])) }],
    ['a long list for a string', mutation, { data: { title: many('x', 10_000) } }],
    ['a name that is repeated', `query (${'$a: Int '.repeat(300)}) { articles { data { id } } }`, {}],
    ['long names', `{ ${many('', 20).map((_, index) => 'x'.repeat(1000) + index).join(' ')} }`, {}],
    ['a long list in the document', `{ articles(filters: { title: { eq: [${'"x" '.repeat(300)}] } }, sort: 1) { data { id } } }`, {}],
  ])('%s: the answer is short', async (_, query, variables) => {
    for (const door of doors) {
      const body = JSON.stringify({ query: door === '' ? query : asStrapi5Document(query), variables });
      const { status, text } = await sendRaw(client.service, `${door}/graphql`, { method: 'POST', body });
      expect({ door, status, hasErrors: text.includes('"errors"') }).toEqual({ door, status: 400, hasErrors: true });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LONGEST);
    }
  }); // prettier-ignore

  test('the issues of a refused write are as few as over REST', async () => {
    const data = { title: 'x', links: many({ label: 'x', url: 'y' }, 500) };
    const { text } = await client.graphql(mutation, { data });
    expect(text).toContain('"errors"');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LONGEST);
  });
});

test('the first 50 issues are listed, and how many others there are', async () => {
  const { status, body } = await client.post('/api/articles', { title: 'x', author, links: many(0, 70) });
  const { message, details } = body.error;
  expect({ status, message }).toEqual({ status: 400, message: '71 errors occurred' });
  expect(details.errors).toHaveLength(51);
  expect(details.errors[49].path).toEqual(['links', '49']);
  expect(details.errors[50]).toEqual({ path: [], message: 'and 21 more', name: 'ValidationError' });
});

test('a value is shown to 200 characters', async () => {
  const { body } = await client.post('/api/articles', { title: 'x', seo: 'ab'.repeat(1000) });
  const shown = `"${'ab'.repeat(100)}`.slice(0, 200);
  expect(body.error.message).toBe(`seo must be a \`object\` type, but the final value was: \`${shown}…\`.`);
});
