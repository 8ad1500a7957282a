import { beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { useService } from '../support/service.js';
import { asStrapi5Document } from './as-strapi5.js';
import { sendRaw } from './send-raw.js';

/**
 * The parts of the security checklist about GraphQL that concern content; tests/api/graphql has those about requests.
 */
const client = useService({
  plugins: { graphql: { config: { amountLimit: 3 } }, 'users-permissions': true, strapi5: true },
});

const ask = async (query: string, others: object = {}) =>
  request(client.service.url)
    .post('/graphql')
    .auth(client.service.token, { type: 'bearer' })
    .send({ query, ...others });

/** The same in the schema of Strapi 5. */
const askStrapi5 = async (query: string) =>
  request(client.service.url)
    .post('/v5/graphql')
    .auth(client.service.token, { type: 'bearer' })
    .send({ query: asStrapi5Document(query) });

const badInput = expect.objectContaining({ extensions: expect.objectContaining({ code: 'BAD_USER_INPUT' }) });

beforeAll(async () => {
  const author = await client.create('authors', { name: 'Ann', notes: 'Secret' });
  const tags: number[] = [];
  for (const name of ['A', 'B', 'C', 'D', 'E']) tags.push(await client.create('tags', { name }));
  await client.create('articles', { title: 'One', internalNote: 'TOP', author, tags });
});

describe('S12: private data cannot be used in arguments', () => {
  test.each([
    '{ articles(sort: "internalNote") { data { id } } }',
    '{ articles(sort: "author.notes") { data { id } } }',
    '{ tags { data { attributes { articles(sort: "internalNote") { data { id } } } } } }',
    '{ authors(sort: ["notes:asc"]) { data { id } } }',
  ])('%s', async (query) => {
    for (const { text, body } of [await ask(query), await askStrapi5(query)]) {
      expect(body.errors).toEqual(body.errors.map(() => badInput));
      expect(body.errors).not.toHaveLength(0);
      expect(text).not.toMatch(/TOP|Secret/);
    }
  });

  test.each([
    '{ articles(filters: { internalNote: { contains: "T" } }) { data { id } } }',
    '{ articles(filters: { not: { author: { notes: { startsWith: "S" } } } }) { data { id } } }',
    '{ articles(filters: { or: [{ createdBy: { id: { eq: 1 } } }] }) { data { id } } }',
  ])('%s is not in the schema, or refused', async (query) => {
    for (const { text, body } of [await ask(query), await askStrapi5(query)]) {
      expect(body.errors).toHaveLength(1);
      expect(body.data?.articles ?? null).toBeNull();
      expect(text).not.toMatch(/TOP|Secret/);
    }
  });
});

test('S38: an Int that is too large is refused, and nothing is rounded', async () => {
  const { status, body } = await ask('{ tags(pagination: { limit: 99999999999 }) { data { id } } }');
  expect(status).toBe(400);
  expect(body.errors[0].message).toMatch(/Int cannot represent/);
});

test.each(['{\\"$ne\\":0}', '[object Object]', '1 OR 1', '$where', '-1', '1e400'])(
  'S23: the id %s matches and deletes nothing',
  async (id) => {
    expect((await ask(`{ article(id: "${id}") { data { id } } }`)).body.data?.article?.data ?? null).toBeNull();
    const { body } = await ask(`mutation { deleteTag(id: "${id}") { data { id } } }`);
    expect(body.data?.deleteTag?.data ?? null).toBeNull();
    expect((await askStrapi5(`{ article(id: "${id}") { data { id } } }`)).body.data?.article ?? null).toBeNull();
    await askStrapi5(`mutation { deleteTag(id: "${id}") { data { id } } }`);
    expect((await client.get('/api/tags?pagination[pageSize]=1')).body.meta.pagination.total).toBe(5);
  },
);

describe('S49: logins are counted individually', () => {
  const attempt = 'login(input: { identifier: "nobody", password: "wrong-password" }) { jwt }';

  test('with aliases, until the first refusal', async () => {
    const aliases = Array.from({ length: 20 }, (_none, index) => `a${index}: ${attempt}`);
    const { body } = await ask(`mutation { ${aliases.join(' ')} }`);
    expect(body.errors).toEqual([badInput]);
    expect(body.data).toBeNull();
  });

  test('in batches', async () => {
    const batch = Array.from({ length: 10 }, () => ({ query: `mutation { ${attempt} }` }));
    const { body } = await request(client.service.url).post('/graphql').send(batch);
    const codes = body.map(({ errors }: { errors: { extensions: { code: string } }[] }) => errors[0]?.extensions.code);
    expect(codes.filter((code: string) => code === 'STRAPI_RATE_LIMIT_ERROR').length).toBeGreaterThanOrEqual(5);
  });
});

test.each(['limit: -1', 'limit: 100000', 'pageSize: 100000', 'start: 0, limit: 2147483647'])(
  'S72: with %s lists have at most amountLimit entries, also nested ones',
  async (pagination) => {
    const { body } = await ask(`{
      tags(pagination: { ${pagination} }) { data { id } }
      articles { data { attributes { tags(pagination: { ${pagination} }) { data { id } } } } }
    }`);
    expect(body.errors).toBeUndefined();
    expect(body.data.tags.data).toHaveLength(3);
    expect(body.data.articles.data[0].attributes.tags.data.length).toBeLessThanOrEqual(3);
  },
);

describe('S73: subscriptions are not supported', () => {
  test('WebSockets are refused', async () => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-version': '13',
      'sec-websocket-protocol': 'graphql-transport-ws',
    };
    const { status } = await sendRaw(client.service, '/graphql', { method: 'GET', headers });
    expect(status).toBeGreaterThanOrEqual(400);
  });

  test('server-sent events are not sent', async () => {
    const answer = await request(client.service.url)
      .get('/graphql?query={__typename}')
      .set('accept', 'text/event-stream');
    expect([answer.status, answer.type]).toEqual([200, 'application/json']);
  });
});

test.each(['contains', 'containsi', 'eqi', 'notContains', 'startsWith', 'endsWith'])(
  'S34: %s takes a text as long as a pattern of the database can be, and no longer one',
  async (operator) => {
    const query = 'query ($text: String) { articles(filters: { title: { OPERATOR: $text } }) { data { id } } }';
    const search = (text: string) => ask(query.replace('OPERATOR', operator), { variables: { text } });
    for (const letter of ['\0', '\\', '€', '😀', 'a']) {
      const text = letter.repeat(8000 / letter.length);
      expect((await search(text)).body.errors).toBeUndefined();
      expect((await search(`${text}a`)).body.errors).toEqual([badInput]);
    }
  },
);
