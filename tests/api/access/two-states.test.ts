/*
 * An entry has two states, as it is and as it is prepared, and a caller may see one of them. Pairs of worlds differ in
 * what is hidden from the caller: each request has the same answer in both, whichever way it takes to the entry.
 */
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { openSchedules } from '../../../src/mongo/events/schedules.js';
import type { ContentType, ScalarAttribute } from '../../../src/content-types/model/types.js';
import { system, type Caller } from '../../../src/documents/caller.js';
import type { Filter } from '../../../src/query/ast.js';
import { declare, keyOf, type Permission } from '../../support/access.js';
import { useService, type Answer } from '../../support/service.js';

const client = useService({
  contentTypes: 'packages/versions/tests/content-types',
  plugins: { versions: true, i18n: { config: { locales: ['en', 'de'] } } },
});
const uid = 'api::article.article';

type Body = Readonly<Record<string, unknown>>;
const send = async (method: 'get' | 'put' | 'post' | 'delete', path: string, body?: Body): Promise<Answer> => {
  const sent = request(client.service.url)[method](`/api/${path}`).auth(keyOf('caller'), { type: 'bearer' });
  return body === undefined ? sent : sent.send(body);
};

/** The caller may change articles with the price 1. */
const own = { price: 1 };
const limited = ['find', 'findOne', 'update', 'delete'].map((action) => ({ action: `${uid}.${action}`, where: own }));
const callers: Readonly<Record<string, readonly Permission[]>> = {
  'a rule hides the copy': [...limited, `${uid}.create`, `${uid}.find.drafts`],
  'the caller sees no drafts': ['find', 'findOne', 'update', 'delete', 'create'].map((action) => `${uid}.${action}`),
};

/** A published article with versions, and what is prepared of it; without a value: nothing. */
async function world(prepared?: string): Promise<number> {
  const id = await client.create('articles', { title: 'Guessed', price: 1 });
  await client.put(`/api/articles/${id}`, { title: 'Otherwise' });
  await client.put(`/api/articles/${id}`, { title: 'Published' });
  if (prepared !== undefined) await client.put(`/api/articles/${id}?status=draft`, { title: prepared, price: 2 });
  return id;
}

const inDays = new Date(Date.now() + 86_400_000).toISOString();
const data = { data: { title: 'Mine' } };
const batch = (operation: Body): Promise<Answer> => send('post', 'batch', { operations: [operation] });
const graphql = async (query: string): Promise<Answer> =>
  request(client.service.url).post('/graphql').auth(keyOf('caller'), { type: 'bearer' }).send({ query });
type Ask = (id: number) => Promise<Answer>;

/** The versions of an entry that a caller sees, and the request for one of them. */
const ofVersion =
  (ask: (path: string, newest: number | undefined) => Promise<Answer>, from: 'newest' | 'oldest'): Ask =>
  async (id) => {
    const { body } = await send('get', `articles/${id}/versions`);
    const ids = (body.data as readonly { readonly id: number }[] | null)?.map((version) => version.id) ?? [];
    return ask(`articles/${id}/versions/${from === 'newest' ? ids[0] : ids.at(-1)}`, ids[0]);
  };

const doors: Readonly<Record<string, Ask>> = {
  read: (id) => send('get', `articles/${id}`),
  'read the draft': (id) => send('get', `articles/${id}?status=draft`),
  list: (id) => send('get', `articles?status=draft&filters[id]=${id}`),
  'list what is modified': (id) => send('get', `articles?modified=true&filters[id]=${id}`),
  write: (id) => send('put', `articles/${id}`, data),
  save: (id) => send('put', `articles/${id}?status=draft`, data),
  publish: (id) => send('put', `articles/${id}?status=published`, data),
  'try to publish': (id) => send('put', `articles/${id}?status=published&dryRun=true`, data),
  unpublish: (id) => send('put', `articles/${id}`, { data: { publishedAt: null } }),
  discard: (id) => send('delete', `articles/${id}?status=draft`),
  delete: (id) => send('delete', `articles/${id}`),
  'try to delete': (id) => send('delete', `articles/${id}?dryRun=true`),
  'publish in a batch': (id) => batch({ update: 'articles', id, status: 'published', data: {} }),
  'save in a batch': (id) => batch({ update: 'articles', id, status: 'draft', ...data }),
  'delete in a batch': (id) => batch({ delete: 'articles', id }),
  'publish by GraphQL': (id) =>
    graphql(`mutation { updateArticle(id: ${id}, status: PUBLISHED, data: {}) { data { id } } }`),
  'delete by GraphQL': (id) => graphql(`mutation { deleteArticle(id: ${id}) { data { id } } }`),
  'schedule a publication': (id) => send('post', `articles/${id}/schedule`, { publishAt: inDays }),
  'schedule the opposite': (id) => send('post', `articles/${id}/schedule`, { unpublishAt: inDays }),
  'read the schedule': (id) => send('get', `articles/${id}/schedule`),
  'cancel the schedule': (id) => send('delete', `articles/${id}/schedule`),
  'read schedules': (id) => send('get', `articles/schedules?ids=${id}`),
  'read the request to publish': (id) => send('get', `articles/${id}/review`),
  'ask to publish': async (id) => {
    const answer = await send('post', `articles/${id}/review`, {});
    return { ...answer, body: { ...answer.body, data: { ...answer.body.data, tag: 'any' } } };
  },
  'withdraw the request to publish': (id) => send('delete', `articles/${id}/review`),
  'publish what was asked for': (id) => send('post', `articles/${id}/review/publish`, { tag: 'any' }),
  'send back what was asked for': (id) => send('post', `articles/${id}/review/return`, { tag: 'any', note: 'No' }),
  'list versions': (id) => send('get', `articles/${id}/versions`),
  'read a version': ofVersion((path) => send('get', path), 'oldest'),
  'compare a version with the draft': ofVersion((path) => send('get', `${path}?to=draft`), 'oldest'),
  'compare a version with what is published': ofVersion((path) => send('get', `${path}?to=published`), 'oldest'),
  'restore a version': ofVersion(
    (path, newest) => send('post', `${path}/restore`, { data: { newest, attributes: ['title'] } }),
    'oldest',
  ),
  'restore nothing': ofVersion(
    (path, newest) => send('post', `${path}/restore`, { data: { newest, attributes: ['title'] } }),
    'newest',
  ),
  'restore by an id that is not shown': ofVersion(
    (path, newest = 0) => send('post', `${path}/restore`, { data: { newest: newest + 1 } }),
    'oldest',
  ),
};

/** Ids and times differ between worlds. */
const comparable = ({ status, body }: Answer): string =>
  `${status} ${JSON.stringify(body)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replaceAll(/"id":"?\d+"?/g, 'id')
    .replaceAll(/articles\/\d+/g, 'articles')}`;

/** Those that would change what is hidden, or show it. */
const concernsBoth =
  /^(?:save|publish|ask|withdraw|send back|try to|unpublish|discard|delete|schedule|read the schedule|cancel|restore (?:a version|nothing))(?!.*GraphQL)/;

describe.each(Object.entries(callers))('where %s', (name, permissions) => {
  /** With the right to drafts, that there is a copy shows where it is changed; what is in it shows nowhere. */
  const hidden = name === 'the caller sees no drafts' ? [undefined, 'Guessed', 'Otherwise'] : ['Guessed', 'Otherwise'];

  test.each(Object.entries(doors))('%s has one answer, whatever is hidden', async (door, ask) => {
    await declare(client.service, {}, { caller: permissions });
    const answers: string[] = [];
    for (const prepared of hidden) {
      const id = await world(prepared);
      const answer = await ask(id);
      if (prepared !== undefined) expect(answer.text).not.toContain(`"price":2`);
      answers.push(comparable(answer));
      const now = (await client.get(`/api/articles/${id}`)).body.data?.attributes.title;
      expect(['Published', 'Mine', undefined]).toContain(now);
    }
    expect(answers).toEqual(answers.map(() => answers[0]));
    if (name === 'a rule hides the copy' && concernsBoth.test(door)) expect(answers[0]?.slice(0, 3)).toBe('404');
  });
});

test('versions of the entry are for those who may change it as it is, and those of copies for those who may change what is prepared', async () => {
  await declare(client.service, {}, { caller: callers['a rule hides the copy'] ?? [] });
  const shown = async (id: number): Promise<unknown> => {
    const { status, body } = await send('get', `articles/${id}/versions`);
    return status === 200 ? body.data.map(({ copy }: { copy?: true }) => copy ?? false) : status;
  };
  expect(await shown(await world('Hidden'))).toEqual([false, false, false]);
  const id = await client.create('articles', { title: 'Of others', price: 2 });
  expect(await shown(id)).toBe(404);
  await client.put(`/api/articles/${id}?status=draft`, { price: 1 });
  expect(await shown(id)).toEqual([true]);
  expect((await send('get', `articles/${id}/versions/1?to=published`)).status).toBe(404);
});

test('a schedule is carried out by the rights that whoever set it has then', async () => {
  const type = client.service.registry.contentTypes.get(uid) as ContentType;
  const publishAt = '2090-01-01T08:00:00.000Z';
  const run = async (id: number): Promise<unknown> => {
    const { database, documents } = client.service;
    const now = new Date(Date.parse(publishAt) + 1);
    const due = await openSchedules(database.db).find(type, { ids: [id], dueBy: now, limit: 1 });
    const [outcome] = await Promise.all(due.map((entry) => documents.schedules.run(type, entry, now)));
    return outcome instanceof Error ? outcome.name : outcome;
  };
  const scheduled = async (): Promise<number> => {
    await declare(client.service, {}, { caller: callers['a rule hides the copy'] ?? [] });
    const id = await client.create('articles', { title: 'Published', price: 1 });
    await client.put(`/api/articles/${id}?status=draft`, { title: 'Prepared' });
    expect((await send('post', `articles/${id}/schedule`, { publishAt })).status).toBe(200);
    return id;
  };
  const titleOf = async (id: number): Promise<unknown> =>
    (await client.get(`/api/articles/${id}`)).body.data.attributes.title;
  expect(await run(await scheduled())).toBe('done');

  const hidden = await scheduled();
  await client.put(`/api/articles/${hidden}?status=draft`, { title: 'EMBARGOED', price: 2 });
  expect([await run(hidden), await titleOf(hidden)]).toEqual(['ForbiddenError', 'Published']);

  const withdrawn = await scheduled();
  await declare(client.service, {}, { caller: [`${uid}.find`] });
  expect([await run(withdrawn), await titleOf(withdrawn)]).toEqual(['ForbiddenError', 'Published']);
});

test('what a restoration from the trash could not give back is named as far as the caller may read it', async () => {
  const [id, other] = [
    await client.create('cards', { label: 'Wanted' }),
    await client.create('cards', { label: 'Other' }),
  ];
  const holder = await client.create('articles', { title: 'Holder', card: id });
  const card = 'api::card.card';
  const may = ['find', 'delete', 'create'].map((action) => `${card}.${action}`);
  const restored = async (...more: readonly Permission[]): Promise<unknown> => {
    await client.put(`/api/articles/${holder}`, { card: id });
    await declare(client.service, {}, { caller: [...may, ...more] });
    expect((await send('delete', `cards/${id}`)).status).toBe(200);
    await client.put(`/api/articles/${holder}`, { card: other });
    return (await send('post', `cards/trash/${id}/restore`, {})).body.meta;
  };
  const lost = [{ type: uid, id: holder, path: 'card' }];
  expect(await restored()).toEqual({ links: 0, lost: [], hidden: 1, unkept: 0 });
  expect(await restored({ action: `${uid}.find`, where: { title: 'x' } })).toEqual({
    links: 0,
    lost: [],
    hidden: 1,
    unkept: 0,
  });
  expect(await restored({ action: `${uid}.find`, fields: ['-card'] })).toEqual({
    links: 0,
    lost: [],
    hidden: 1,
    unkept: 0,
  });
  expect(await restored(`${uid}.find`)).toEqual({ links: 0, lost, unkept: 0 });
});

test('lists of requests and schedules are as long as they may be, however many are hidden before', async () => {
  const type = client.service.registry.contentTypes.get(uid) as ContentType;
  const { reviews, schedules } = client.service.documents;
  const field = type.attributes.get('price') as ScalarAttribute;
  const isOwn: Filter = { kind: 'comparison', field, operator: '$eq', operands: [1] };
  const caller: Caller = { kind: 'user', user: 1, may: () => true, where: () => isOwn };
  const prepared = async (price: number): Promise<number> => {
    const id = await client.create('articles', { title: 'Published', price: 1 });
    await client.put(`/api/articles/${id}?status=draft`, { title: 'Prepared', price });
    await reviews.ask(type, id, undefined, system);
    await schedules.set(type, id, { publishAt: new Date(inDays) }, system);
    return id;
  };
  const [first, second, shown] = [await prepared(2), await prepared(2), await prepared(1)];
  expect((await reviews.list(type, 'ready', caller, 1)).map(({ id }) => id)).toEqual([shown]);
  const scheduled = await schedules.findMany(type, [first, second, shown], caller);
  expect(scheduled.map(({ id }) => id)).toEqual([shown]);
});
