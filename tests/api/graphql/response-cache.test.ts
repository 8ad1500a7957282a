import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { createService, type Service } from '../../../src/app/app.js';
import { loadConfig } from '../../../src/config/load-config.js';
import type { Extension } from '../../../src/plugins/contract/extension.js';
import { openDatabase } from '../../../src/mongo/connection/open-database.js';
import { commandsOf, monitoredUri } from '../../support/commands.js';
import { corpus, useService, type Answer } from '../../support/service.js';
import { tokenFor } from '../plugins/upload/media.js';

const environment = { API_TOKEN_SALT: 'the salt of both' };
const seen: string[] = [];

const extension: Extension = {
  register: ({ strapi }) => {
    strapi
      .plugin('graphql')
      .service('extension')
      .use({
        resolvers: { Query: { now: () => String(seen.push('now')) } },
        typeDefs: 'type Query { now: String }',
        resolversConfig: {
          'Query.now': { auth: false },
          'Query.categories': { policies: [() => seen.push('categories') > 0] },
        },
      });
  },
  guards: { 'api::author.author.find': { policies: [() => seen.push('authors') > 0] } },
};

/** Two processes on one database. */
const client = useService({ environment: { ...environment, RESPONSE_CACHE: '1mb' }, extension });
let other: Service;
const logged: unknown[] = [];
const log = { info: (line: unknown) => logged.push(line), warn: () => undefined, error: () => undefined };
beforeAll(async () => {
  const { database, dataFolder } = client.service;
  const variables = { NODE_ENV: 'test', CONTENT_TYPES: path.resolve(corpus), MONGODB_URI: monitoredUri() };
  const config = await loadConfig(
    { ...variables, DATABASE_NAME: database.db.databaseName, ...environment },
    dataFolder,
  );
  other = await createService(config, openDatabase({ ...config.database, dataFolder }, log), log, { extension });
});
afterAll(() => other.close());

test('what is not cached because of code of the project is logged at startup', () => {
  expect(logged).toContain(
    'GraphQL responses with fields that have code of the project are not cached: Query.now, Query.categories',
  );
});

interface Operation {
  readonly query: string;
  readonly variables?: object;
}

const post = (operation: Operation, token = client.service.token): Promise<Answer> =>
  Promise.resolve(request(client.service.url).post('/graphql').auth(token, { type: 'bearer' }).send(operation));
const get = ({ query, variables = {} }: Operation, tag = ''): Promise<Answer> =>
  Promise.resolve(
    request(client.service.url)
      .get('/graphql')
      .query({ query, variables: JSON.stringify(variables) })
      .auth(client.service.token, { type: 'bearer' })
      .set('If-None-Match', tag),
  );
/** The document is validated by the first request, requested again by the second and cached by the third. */
async function cached(operation: Operation, send = post): Promise<Answer> {
  const answers = [await send(operation), await send(operation), await send(operation)];
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  return send(operation);
}
const commands = (operation: Operation, send = post) => commandsOf(client.service, () => send(operation));

describe('repeated queries', () => {
  let author: number;
  let article: number;
  beforeAll(async () => {
    author = await client.create('authors', { name: 'Ada' });
    article = await client.create('articles', { title: 'One', author });
  });
  const list = '{ articles(sort: "id") { data { id attributes { title author { data { attributes { name } } } } } } }';

  test.each<[string, string]>([
    ['a list', list],
    ['an entry', 'query ($id: ID!) { article(id: $id) { data { attributes { title } } } }'],
    ['several fields', '{ tags { data { id } } articles { meta { pagination { total } } } }'],
    ['an entry that does not exist', '{ article(id: 999999) { data { id } } }'],
  ])('read nothing but versions: %s', async (_, query) => {
    const operation = { query, variables: { id: article } };
    for (const send of [post, get]) {
      const { status, body } = await cached(operation, send);
      expect([status, body.errors]).toEqual([200, undefined]);
      expect(await commands(operation, send)).toEqual(['versions']);
    }
  });

  test('have a response for each set of variables and each operation', async () => {
    const query = `query A($title: String) { articles(filters: { title: { eq: $title } }) { data { id } } }
      query B { articles { data { id } } }`;
    const send = (operation: Operation) => post({ ...operation, operationName: 'A' } as Operation);
    expect((await cached({ query, variables: { title: 'One' } }, send)).body.data.articles.data).toHaveLength(1);
    expect((await cached({ query, variables: { title: 'Two' } }, send)).body.data.articles.data).toEqual([]);
    const all = await post({ query, operationName: 'B', variables: { title: 'Two' } } as Operation);
    expect(all.body.data.articles.data).toHaveLength(1);
  });

  test('show a write of another process, and a mutation, to entries and those behind their relations', async () => {
    const names = ({ body }: Answer) => body.data.articles.data.map(({ attributes }: any) => attributes);
    await cached({ query: list });
    await other.entries.update('api::author.author', author, { name: 'Grace' });
    expect(names(await post({ query: list }))[0]).toMatchObject({
      author: { data: { attributes: { name: 'Grace' } } },
    });
    await cached({ query: list });
    const mutation = 'mutation ($id: ID!) { updateArticle(id: $id, data: { title: "Two" }) { data { id } } }';
    for (let round = 0; round < 4; round += 1) {
      const { body } = await post({ query: mutation, variables: { id: article } });
      expect(body).toEqual({ data: { updateArticle: { data: { id: String(article) } } } });
      expect(names(await post({ query: list }))[0].title).toBe('Two');
      await other.entries.update('api::article.article', article, { title: 'One' });
      expect(names(await post({ query: list }))[0].title).toBe('One');
    }
  });

  test('stay cached when a write of another process does not affect them', async () => {
    const [first, second] = [
      {
        query: 'query ($id: ID!) { article(id: $id) { data { id attributes { title } } } }',
        variables: { id: article },
      },
      {
        query:
          '{ tags { data { id } } articles(sort: "title", pagination: { limit: 1 }) { data { id attributes { title } } } }',
      },
    ];
    const outside = await client.create('articles', { title: 'Zero' });
    for (const operation of [first, second]) {
      await cached(operation);
      await other.entries.update('api::article.article', outside, { summary: 'Neither shown nor sorted by' });
      expect(await commands(operation)).not.toContain('find');
      await other.entries.update('api::article.article', outside, { summary: 'Again' });
      // The log says what has changed since.
      expect(await commands(operation)).toEqual(['versions', 'changes']);
      await other.entries.update('api::article.article', article, { title: 'One' });
      expect(await commands(operation)).toContain('find');
    }
    await cached(second);
    await other.entries.update('api::article.article', outside, { title: 'A' });
    expect((await post(second)).body.data.articles.data).toMatchObject([{ attributes: { title: 'A' } }]);
    await other.entries.delete('api::article.article', outside);
    expect((await post(second)).body.data.articles.data).toMatchObject([{ attributes: { title: 'One' } }]);
  });

  test('are answered for each caller by their own permissions', async () => {
    const key = await tokenFor(client.service, 'api::article.article.find');
    for (let round = 0; round < 4; round += 1) {
      expect((await post({ query: list })).body.errors).toBeUndefined();
      const { body } = await post({ query: list }, key);
      expect(body.data.articles.data[0].attributes.author).toBeNull();
      expect(body.errors).toMatchObject([{ message: 'Forbidden access' }]);
      const without = { query: '{ articles { data { attributes { title } } } }' };
      expect((await post(without, key)).text).toBe((await post(without)).text);
      expect((await post({ query: '{ tags { data { id } } }' }, key)).body.data).toEqual({ tags: null });
    }
  });

  test('with variables that are no object are refused, and extensions of any type are ignored', async () => {
    const operation = { query: list };
    const { text } = await cached(operation);
    const postWith = (member: string) => post({ ...operation, [member]: 5 });
    const { status, body } = await postWith('variables');
    expect([status, body.errors]).toMatchObject([400, [{ message: /^Variables must be provided as an Object/ }]]);
    expect((await postWith('extensions')).text).toBe(text);
  });

  test('get 304 over GET until the response changes', async () => {
    const operation = { query: list };
    const tag = String((await cached(operation, get)).headers['etag']);
    expect([(await get(operation, tag)).status, (await get(operation, tag)).text]).toEqual([304, '']);
    await other.entries.update('api::article.article', article, { title: 'Other' });
    expect((await get(operation, tag)).status).toBe(200);
    await other.entries.update('api::article.article', article, { title: 'One' });
    expect((await get(operation, tag)).status).toBe(304);
    expect((await post(operation)).headers['etag']).toBeUndefined();
  });

  test.each([
    ['resolvers', '{ now articles { data { id } } }', 'now', ['find', 'versions']],
    ['policies of a field', '{ categories { data { id } } }', 'categories', ['find']],
    ['policies of an action', '{ authors { data { id } } }', 'authors', ['versions']],
  ])('run %s of the project each time', async (_, query, name, expected) => {
    for (let round = 0; round < 4; round += 1) {
      const before = seen.filter((one) => one === name).length;
      expect((await post({ query })).body.errors).toBeUndefined();
      expect(seen.filter((one) => one === name)).toHaveLength(before + 1);
    }
    expect(expected).toEqual(expect.arrayContaining([...(await commands({ query }))]));
  });

  test('in a batch are executed, and get the same', async () => {
    const [one, another] = [{ query: list }, { query: '{ tags { data { id } } }' }];
    const single = [(await cached(one)).body, (await cached(another)).body];
    const { body } = await request(client.service.url)
      .post('/graphql')
      .auth(client.service.token, { type: 'bearer' })
      .send([one, another]);
    expect(body).toEqual(single);
  });
});
