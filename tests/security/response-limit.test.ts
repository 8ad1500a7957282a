import { beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { upload } from '../api/plugins/upload/media.js';
import { useService, type Answer } from '../support/service.js';

/**
 * No answer takes more than RESPONSE_LIMIT, whichever way it is asked for. A read is refused; a write that is done has
 * the ids of its entries alone.
 */
const client = useService({
  environment: { RESPONSE_LIMIT: '6kb' },
  plugins: {
    strapi5: true,
    i18n: { config: { locales: ['en', 'de', 'fr'] } },
    graphql: { config: { aliasLimit: 1000 } },
  },
  extension: {
    routes: [
      { method: 'GET', path: '/own', action: undefined, handle: async () => ({ body: { long: 'x'.repeat(7000) } }) },
    ],
  },
});
const { get, put, create, graphql } = client;
const count = 24;
const body = 'x'.repeat(600);
let category: number;
const articles: number[] = [];

const sendBare = async (method: 'post' | 'put', path: string, data: object): Promise<Answer> =>
  request(client.service.url)[method](path).auth(client.service.token, { type: 'bearer' }).send(data);

beforeAll(async () => {
  category = await create('categories', { name: 'Long' });
  for (let number = 1; number <= count; number += 1) {
    articles.push(await create('articles', { title: `Long ${number}`, body, category }));
    await upload(client.service, { name: `long-name-of-a-file-${number}.txt`, content: body });
    const user = { username: `user${number}`, email: `user${number}@example.test`, password: 'secret-word', role: 2 };
    await sendBare('post', '/api/users', user);
  }
  await put('/api/homepage', { title: 'Home', highlights: articles });
});

describe('S77: over REST', () => {
  test.each<[string, () => Promise<Answer>]>([
    ['a list', () => get('/api/articles')],
    ['a list, explained', () => get('/api/articles?explain=true')],
    ['a list after a place', () => get('/api/articles?sort=id&pagination[after]=')],
    ['a list of one long entry', () => get('/api/categories?populate=articles')],
    ['an entry', () => get(`/api/categories/${category}?populate=articles`)],
    ['a single type', () => get('/api/homepage?populate=highlights')],
    [
      'a write that is only checked',
      () => put(`/api/categories/${category}?populate=articles&dryRun=true`, { name: 'Dry' }),
    ],
    [
      'a write of Strapi 5 that is only checked',
      async () => {
        const { documentId } = (await get(`/v5/api/categories?filters[id]=${category}`)).body.data[0];
        return put(`/v5/api/categories/${documentId}?populate=articles&dryRun=true`, { name: 'Dry' });
      },
    ],
    ['users', () => get('/api/users?populate=*')],
    ['files', () => get('/api/upload/files')],
    ['a route of the owner', () => get('/api/own')],
  ])('%s', async (_name, ask) => {
    const answer = await ask();
    expect([answer.status, answer.body.data ?? null]).toEqual([400, null]);
    expect(answer.body.error.message).toBe(
      'The query asks for too much: at most 6144 bytes in one response (RESPONSE_LIMIT)',
    );
    expect(answer.text.length).toBeLessThan(500);
  });
});

describe('S69: over GraphQL', () => {
  const list = '{ articles { data { attributes { body } } } }';
  const names = Array.from({ length: 300 }, (_none, index) => index);
  const within = (fields: string): string => `{ articles(pagination: { limit: 1 }) { data { id ${fields} } } }`;
  const behind = '{ categories { data { attributes { articles { data { attributes { body } } } } } } }';
  test.each<[string, string]>([
    ['a list', list],
    ['one text, many times', within(`attributes { ${names.map((index) => `a${index}: body`).join(' ')} }`)],
    ['names alone', within(names.map((index) => `name${index}: __typename`).join(' '))],
    ['what entries lead to', behind],
    [
      'files',
      '{ uploadFiles { data { attributes { name url hash ext mime size createdAt updatedAt } } } a: uploadFiles { data { attributes { name url hash ext mime size createdAt updatedAt } } } b: uploadFiles { data { attributes { name url hash ext mime size createdAt updatedAt } } } }',
    ],
    [
      'errors',
      `{ articles { data { attributes { title ${names
        .slice(0, 20)
        .map((index) => `e${index}: tags(sort: "nope") { data { id } }`)
        .join(' ')} } } } }`,
    ],
    [
      'what graphql-js executes: introspection beside it',
      `{ __typename __schema { queryType { name } } ${list.slice(1)}`,
    ],
    ['what graphql-js executes: after an error', `{ wrong: tags(sort: "nope") { data { id } } ${list.slice(1)}`],
    ['the schema', '{ __schema { types { name description fields { name description } } } }'],
  ])('%s', async (_name, query) => {
    const answer = await graphql(query);
    expect([answer.status, answer.body]).toEqual([400, { errors: [tooLong] }]);
  });

  test('a query by GET', async () => {
    const answer = await get(`/graphql?query=${encodeURIComponent(list)}`);
    expect([answer.status, answer.body]).toEqual([400, { errors: [tooLong] }]);
  });

  test('a mutation, which is executed to its end, has the ids of what was stored', async () => {
    const answer = await graphql(
      `
        mutation ($id: ID!) {
          updateCategory(id: $id, data: { position: 7 }) {
            data {
              attributes {
                articles {
                  data {
                    attributes {
                      body
                    }
                  }
                }
              }
            }
          }
          next: createTag(data: { name: "written after what is too long" }) {
            data {
              id
            }
          }
          missing: updateTag(id: 999, data: { name: "nowhere" }) {
            data {
              id
            }
          }
        }
      `,
      { id: category },
    );
    const stored = { updateCategory: String(category), next: expect.any(String), missing: null };
    expect([answer.status, answer.body]).toEqual([200, { errors: [tooLong], data: null, extensions: { stored } }]);
    const { data } = (await get(`/api/tags/${answer.body.extensions.stored.next}`)).body;
    expect(data.attributes.name).toBe('written after what is too long');
  });

  test('a batch, whose operations share the limit', async () => {
    const half = '{ articles(pagination: { limit: 6 }) { data { attributes { body } } } }';
    expect((await graphql(half)).status).toBe(200);
    const { status, body: answers } = await sendBare('post', '/graphql', [{ query: half }, { query: half }]);
    expect(status).toBe(200);
    expect(answers.filter(({ errors }: Answer['body']) => errors !== undefined)).toEqual([{ errors: [tooLong] }]);
  });

  test('a response within the limit is sent, also after a failed field', async () => {
    const half =
      '{ articles(pagination: { limit: 6 }) { data { attributes { body } } } wrong: tags(sort: "nope") { data { id } } }';
    const { body: answer } = await graphql(half);
    expect(answer.data.articles.data).toHaveLength(6);
    expect(answer.errors).toHaveLength(1);
  });
});

const tooLong = {
  message: 'The query asks for too much: at most 6144 bytes in one response (RESPONSE_LIMIT)',
  extensions: { code: 'BAD_USER_INPUT', error: { name: 'ValidationError', message: expect.any(String), details: {} } },
};
