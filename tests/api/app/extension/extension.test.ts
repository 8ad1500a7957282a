import os from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import request from 'supertest';
import { createService } from '../../../../src/app/app.js';
import { loadConfig } from '../../../../src/config/load-config.js';
import { AppError } from '../../../../src/errors/app-error.js';
import { openDatabase } from '../../../../src/mongo/connection/open-database.js';
import type { PolicyRequest } from '../../../../src/plugins/contract/access/policy-request.js';
import type { Extension, Policy } from '../../../../src/plugins/contract/extension.js';
import { createTestService } from '../../../../src/testing.js';
import { monitoredUri } from '../../../support/commands.js';
import { corpus, useService } from '../../../support/service.js';

const seen: string[] = [];
const requests: PolicyRequest[] = [];
const note: Policy = (request) => {
  const { caller: _, ...rest } = request;
  requests.push(structuredClone(rest) as PolicyRequest);
  return !request.action.startsWith('plugin::');
};

/** An owner's code, as it would stand in `extensions/index.js`. */
const extension: Extension = {
  lifecycles: {
    'api::tag.tag': {
      beforeCreate: ({ data }) => {
        if (data['name'] === 'forbidden') throw new AppError('application', 'This name is not for tags');
        return { ...data, name: String(data['name']).trim() };
      },
      afterCreate: async ({ id, entries }) => {
        const { name } = await entries.findOne('api::tag.tag', id);
        seen.push(`created ${String(name)}`);
      },
      afterUpdate: ({ id }) => void seen.push(`updated ${id}`),
      beforeDelete: ({ id }) => void seen.push(`deleting ${id}`),
      afterDelete: ({ id }) => void seen.push(`deleted ${id}`),
    },
  },
  routes: ({ entries }) => [
    {
      method: 'GET',
      path: '/tags/count',
      action: 'api::tag.tag.find',
      handle: async ({ query }) => ({ body: { count: await entries.count('api::tag.tag', query) } }),
    },
  ],
  guards: {
    'api::page.page.find': { policies: [note] },
    'api::page.page.findOne': { policies: [note] },
    'plugin::upload.content-api.find': { policies: [note] },
    'api::comment.comment.create': {
      policies: [({ body }) => !JSON.stringify(body).includes('spam')],
      middlewares: [
        (_request, response, next) => {
          response.setHeader('X-Checked', 'yes');
          next();
        },
      ],
    },
  },
};

const client = useService({ extension });
const { get, post, put, delete: remove, create, graphql } = client;

test('lifecycles change or refuse the data before a write, and receive the id after it', async () => {
  const id = await create('tags', { name: '  Bread ' });
  expect((await get(`/api/tags/${id}`)).body.data.attributes.name).toBe('Bread');
  await put(`/api/tags/${id}`, { color: 'red' });
  await remove(`/api/tags/${id}`);
  expect(seen).toEqual(['created Bread', `updated ${id}`, `deleting ${id}`, `deleted ${id}`]);
});

test('an error that a lifecycle throws is the response, and nothing is written', async () => {
  const { status, body } = await post('/api/tags', { name: 'forbidden' });
  expect({ status, message: body.error.message }).toEqual({ status: 400, message: 'This name is not for tags' });
  expect((await get('/api/tags?filters[name]=forbidden')).body.data).toEqual([]);
});

test('routes of the project are served beside the generated ones', async () => {
  await create('tags', { name: 'One', color: 'blue' });
  await create('tags', { name: 'Two' });
  expect((await get('/api/tags/count?filters[color]=blue')).body).toEqual({ count: 1 });
});

test('policies and middlewares of the project run before generated routes', async () => {
  expect((await post('/api/comments', { text: 'spam and eggs' })).status).toBe(403);
  const { status, headers } = await post('/api/comments', { text: 'eggs' });
  expect({ status, checked: headers['x-checked'] }).toEqual({ status: 200, checked: 'yes' });
});

test('policies see what a form writes', async () => {
  const send = (text: string) =>
    request(client.service.url)
      .post('/api/comments')
      .auth(client.service.token, { type: 'bearer' })
      .field('data', JSON.stringify({ text }));
  expect((await send('spam')).status).toBe(403);
  expect((await send('a form')).status).toBe(200);
});

test('a policy of an action also applies over GraphQL, with the same context as over REST', async () => {
  const write = async (text: string) =>
    graphql('mutation ($text: String) { createComment(data: { text: $text }) { data { id } } }', { text });
  const { data, errors } = (await write('spam by GraphQL')).body;
  expect([data.createComment, errors[0].extensions.code]).toEqual([null, 'FORBIDDEN']);
  expect((await get('/api/comments?filters[text][$contains]=GraphQL')).body.data).toEqual([]);
  expect((await write('eggs')).body.data.createComment.data.id).toEqual(expect.any(String));

  requests.length = 0;
  await graphql('{ pages(filters: { title: { eq: "x" } }, publicationState: PREVIEW, sort: "title") { data { id } } }');
  await get('/api/pages?filters[title][$eq]=x&publicationState=preview&sort[0]=title');
  const [byGraphql, byRest] = requests;
  expect(byRest).toMatchObject({ action: 'api::page.page.find', id: '', query: { publicationState: 'preview' } });
  expect(byGraphql).toMatchObject(JSON.parse(JSON.stringify(byRest)));
  await graphql('{ page(id: 7) { data { id } } }');
  expect(requests[2]).toMatchObject({ action: 'api::page.page.findOne', id: '7' });
});

test('policies run after the permission, and before the resolver of a plugin', async () => {
  const { body } = await graphql('{ me { id } uploadFiles { data { id } } }');
  expect(requests.some(({ action }) => action === 'plugin::upload.content-api.find')).toBe(true);
  expect(body.data.uploadFiles).toBeNull();
  expect((await get('/api/upload/files')).status).toBe(403);
});

test('guards of an unknown action prevent the start', async () => {
  const guards = { 'api::article.article.craete': { policies: [() => false] } };
  const starting = createTestService({ contentTypes: corpus, mongodbUri: monitoredUri(), extension: { guards } });
  await expect(starting).rejects.toThrow('guards: unknown action "api::article.article.craete"; did you mean');
});

test.each([
  [
    { lifecycles: { 'api::tgs.tag': {} } },
    'lifecycles: unknown content type "api::tgs.tag"; did you mean "api::tag.tag"?',
  ],
  [{ lifecycles: { 'api::tag.tag': { beforeFind() {} } } }, 'unknown member "lifecycles.api::tag.tag.beforeFind"'],
  [{ routes: () => [{ handel() {} }] }, 'unknown member "routes[0].handel"; did you mean "handle"?'],
])('the start fails on a part that would never run: %j', async (parts, mistake) => {
  const extension = parts as unknown as Extension;
  const starting = createTestService({ contentTypes: corpus, mongodbUri: monitoredUri(), extension });
  await expect(starting).rejects.toThrow(mistake);
});

test.each([[[() => false]], [{ policies: () => false }], [{ policy: [() => false] }], [{ policies: ['is-owner'] }]])(
  'the start fails on a guard that is not an object of lists: %j',
  async (guard) => {
    const extension = { guards: { 'api::article.article.create': guard } } as unknown as Extension;
    const starting = createTestService({ contentTypes: corpus, mongodbUri: monitoredUri(), extension });
    await expect(starting).rejects.toThrow('guards: api::article.article.create must be an object with policies');
  },
);

test('middlewares in guards protect REST only, and the start warns about it', async () => {
  const warnings: string[] = [];
  const config = await loadConfig(
    { NODE_ENV: 'test', MONGODB_URI: monitoredUri(), CONTENT_TYPES: path.resolve(corpus) },
    os.tmpdir(),
  );
  const database = await openDatabase({ ...config.database, name: 'guards_of_rest', dataFolder: os.tmpdir() }, quiet);
  const log = { ...quiet, warn: (_details: object, message: string) => void warnings.push(message) };
  const service = await createService(config, Promise.resolve(database), log, { extension });
  await database.db.dropDatabase();
  await service.close();
  expect(warnings.filter((line) => line.startsWith('api::'))).toEqual([
    'api::comment.comment.create: GraphQL Mutation.createComment does not run the middlewares in guards; add policies with resolversConfig',
  ]);
});

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
