import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CommandStartedEvent } from 'mongodb';
import request, { type Response } from 'supertest';
import { StartError } from '../../../../src/errors/start-error.js';
import { openStore } from '../../../../src/mongo/store.js';
import { createTestService, type TestService } from '../../../../src/testing.js';
import { followCommands } from '../../../support/commands.js';
import { startMember, type Member } from '../../../support/replica-set-member.js';
import { corpus } from '../../../support/service.js';

let member: Member;
let service: TestService;
const ids = { tag: 0, author: 0, article: 0, page: 0 };
const plugins = { strapi5: true, i18n: { config: { locales: ['en', 'fr'] } } };

beforeAll(async () => {
  member = await startMember(process.env['TEST_MONGODB_URI'] ?? '');
  const mongodbUri = `${member.uri}&readPreference=secondaryPreferred&monitorCommands=true`;
  service = await createTestService({ contentTypes: corpus, mongodbUri, plugins });
  const { entries } = service;
  ids.tag = (await entries.create('api::tag.tag', { name: 'Alpha' })).id;
  ids.author = (await entries.create('api::author.author', { name: 'Ada' })).id;
  ids.article = (await entries.create('api::article.article', { title: 'One', tags: [ids.tag] })).id;
});
afterAll(async () => {
  await service.close();
  await member.close();
});

const send = (method: 'get' | 'post' | 'put' | 'delete', path: string, body?: object): Promise<Response> => {
  const sending = request(service.url)[method](path).auth(service.token, { type: 'bearer' });
  return (body === undefined ? sending : sending.send(body)).then((answer) => answer);
};
const graphql = (query: string): Promise<Response> => send('post', '/graphql', { query });

/** The collections of commands that may go to another member than the primary, and of all others. */
async function watch(work: () => Promise<unknown>): Promise<{ lagging: string[]; primary: string[] }> {
  const [lagging, primary]: [string[], string[]] = [[], []];
  const note = ({ commandName, command }: CommandStartedEvent): void => {
    const { mode = 'primary' } = command['$readPreference'] ?? {};
    (mode === 'primary' ? primary : lagging).push(String(command[commandName]));
  };
  await followCommands(service.database.client, note, work);
  return { lagging, primary };
}

/** Those of a request that succeeds. */
const commandsOf = (work: () => Promise<Response>) =>
  watch(async () => {
    const { status, body } = await work();
    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
  });

test.each<readonly [string, () => Promise<Response>, readonly string[]]>([
  ['a list', () => send('get', '/api/articles?populate=*'), ['articles']],
  ['an entry', () => send('get', `/api/articles/${ids.article}`), ['articles']],
  ['a list by GraphQL', () => graphql('{ articles { data { id } } }'), ['articles']],
  ['an entry by GraphQL', () => graphql(`{ article(id: ${ids.article}) { data { id } } }`), ['articles']],
  [
    'a list with a filter that is read first',
    () => send('get', '/api/articles?filters[tags][name]=Alpha'),
    ['tags', 'articles'],
  ],
])('%s can be read from a secondary that is behind', async (_, work, expected) => {
  expect((await commandsOf(work)).lagging).toEqual(expected);
});

test.each<readonly [string, () => Promise<Response>]>([
  [
    'a new entry and what it leads to',
    () => send('post', '/api/articles', { data: { title: 'Two', tags: [ids.tag] } }),
  ],
  [
    'a change that reads its answer',
    () => send('put', `/api/articles/${ids.article}?populate=*`, { data: { tags: [ids.tag] } }),
  ],
  [
    'a change of the other side',
    () => send('put', `/api/authors/${ids.author}`, { data: { articles: [ids.article] } }),
  ],
  ['a takeover', () => send('put', `/api/articles/${ids.article}`, { data: { seoCard: null } })],
  [
    'a localization, which reads its group',
    () => send('post', `/api/articles/${ids.article}/localizations`, { locale: 'fr', title: 'Un' }),
  ],
  ['the entry of a single type', () => send('put', '/api/homepage', { data: { title: 'Home' } })],
  [
    'a mutation with what its answer shows',
    () =>
      graphql(
        `mutation { createArticle(data: { title: "Three", tags: [${ids.tag}] }) { data { id attributes { tags(sort: "name") { data { id } } } } } }`,
      ),
  ],
  [
    'a deleted entry',
    async () =>
      send(
        'delete',
        `/api/articles/${(await service.entries.create('api::article.article', { title: 'x', tags: [ids.tag] })).id}`,
      ),
  ],
  ['a count of users', () => send('get', '/api/users/count')],
])('%s: all data is read from the primary', async (_, work) => {
  const { lagging, primary } = await commandsOf(work);
  expect(lagging).toEqual([]);
  expect(primary.length).toBeGreaterThan(0);
});

/** A stale entry would let a write pass that overwrites another one. */
test.each<readonly [string, 'put' | 'post' | 'delete', () => Promise<string>]>([
  ['an entry', 'put', async () => `/api/articles/${ids.article}`],
  ['an entry that is deleted', 'delete', async () => `/api/articles/${ids.article}`],
  ['an entry by a key', 'put', async () => '/api/tags/by/name/Alpha'],
  ['a single type', 'put', async () => '/api/homepage'],
  ['a schedule', 'post', async () => `/api/articles/${ids.article}/schedule`],
  [
    'an entry of Strapi 5',
    'put',
    async () => `/v5/api/articles/${(await send('get', '/v5/api/articles')).body.data[0].documentId}`,
  ],
  ['a single type of Strapi 5', 'put', async () => '/v5/api/homepage'],
  ['an operation of a batch', 'post', async () => '/api/batch'],
])('If-Match of %s is compared with what the primary has', async (_, method, pathOf) => {
  const path = await pathOf();
  const tag = '"other"';
  const operations = [{ update: 'articles', id: ids.article, ifMatch: tag, data: {} }];
  const scheduled = path.endsWith('/schedule') ? { publishAt: '2090-01-31T09:00:00Z' } : { data: {} };
  const body = path === '/api/batch' ? { operations } : scheduled;
  const { lagging, primary } = await watch(async () => {
    const sending = request(service.url)[method](path).auth(service.token, { type: 'bearer' });
    if (path !== '/api/batch') void sending.set('If-Match', tag);
    expect((await sending.send(body)).status).toBe(412);
  });
  expect([lagging, primary.length > 0]).toEqual([[], true]);
});

test('permissions, versions and totals are read from the primary', async () => {
  await service.entries.create('api::tag.tag', { name: 'Beta' });
  const { lagging, primary } = await commandsOf(() => send('get', '/api/tags?pagination[pageSize]=1'));
  expect(lagging).toEqual(['tags']);
  expect(primary).toEqual(expect.arrayContaining(['_versions', 'tags']));
});

test('recovery of a transaction reads from the primary', async () => {
  const { db, reads } = service.database;
  const { _id: id } = (await db.collection<{ _id: number }>('tags').findOne()) ?? { _id: 0 };
  const store = openStore(db, { timeout: 60_000, exclusive: false, reads });
  const transaction = store.transactions.open();
  await transaction.lock([{ collection: 'tags', id }]);
  await transaction.apply([{ kind: 'update', collection: 'tags', id, fields: new Map([['color', 'red']]) }]);
  const { lagging, primary } = await watch(() =>
    openStore(db, { timeout: 60_000, exclusive: false, reads }).sweep(true),
  );
  expect({ lagging, primary }).toEqual({ lagging: [], primary: expect.arrayContaining(['_transactions', 'tags']) });
});

test('lists read from a secondary are not cached', async () => {
  const mongodbUri = `${member.uri}&readPreference=secondaryPreferred`;
  const environment = { RESPONSE_CACHE: '1mb' };
  await expect(createTestService({ contentTypes: corpus, mongodbUri, environment })).rejects.toThrow(StartError);
});
