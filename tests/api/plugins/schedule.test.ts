import { expect, test } from '@jest/globals';
import type { CommandStartedEvent } from 'mongodb';
import request from 'supertest';
import { declare, keyOf } from '../../support/access.js';
import { openSchedules } from '../../../src/mongo/events/schedules.js';
import type { ContentType } from '../../../src/content-types/model/types.js';
import type { StoredDocument } from '../../../src/mongo/maintenance/extended-json-lines.js';
import { openStore } from '../../../src/mongo/store.js';
import { useService, type Answer } from '../../support/service.js';

const client = useService({ environment: { EVENTS: 'true' } });
const uid = 'api::article.article';
const type = (): ContentType => client.service.registry.contentTypes.get(uid) as ContentType;
const [morning, noon] = ['2090-01-01T08:00:00.000Z', '2090-01-01T12:00:00.000Z'];
const after = (time: string): Date => new Date(Date.parse(time) + 1);

const send = async (
  method: 'get' | 'post' | 'delete',
  id: number,
  body: object = {},
  token: string = client.service.token,
): Promise<Answer> => {
  const sending = request(client.service.url);
  return sending[method](`/api/articles/${id}/schedule`).auth(token, { type: 'bearer' }).send(body);
};
const draft = (): Promise<number> => client.create('articles', { title: 'Later', publishedAt: null });
const isPublished = async (id: number): Promise<boolean> =>
  (await client.get(`/api/articles/${id}`)).body.data.attributes.publishedAt !== null;
/** The events of an entry, by their names. */
const eventsOf = async (id: number): Promise<unknown[]> => {
  const { db } = client.service.database;
  const events = await db.collection('_events').find({ uid, id }).sort({ n: 1 }).toArray();
  return events.map(({ names }) => names as unknown);
};
/** Executes due schedules as several concurrent processes. */
async function run(now: Date): Promise<readonly unknown[]> {
  const { database, documents } = client.service;
  const due = await openSchedules(database.db).find(type(), { dueBy: now, limit: 100 });
  const outcomes = due.flatMap((entry) => [1, 2, 3].map(() => documents.schedules.run(type(), entry, now)));
  return Promise.all(outcomes);
}

test('an entry is published and unpublished at its times, once, with an event each', async () => {
  const id = await draft();
  const times = { publishAt: morning, unpublishAt: noon };
  expect((await send('post', id, times)).body).toEqual({ data: times });
  expect((await send('get', id)).body).toEqual({ data: times });
  expect(await run(new Date())).toEqual([]);
  expect((await run(after(morning))).toSorted()).toEqual(['done', 'unchanged', 'unchanged']);
  expect([await isPublished(id), (await send('get', id)).body.data]).toEqual([
    true,
    { publishAt: null, unpublishAt: noon },
  ]);
  expect((await run(after(noon))).toSorted()).toEqual(['done', 'unchanged', 'unchanged']);
  expect([await isPublished(id), (await send('get', id)).body.data]).toEqual([
    false,
    { publishAt: null, unpublishAt: null },
  ]);
  expect(await eventsOf(id)).toEqual([['entry.create'], ['entry.update'], ['entry.update']]);
});

test('the entry of a single type is published at its time, by its id', async () => {
  const { body } = await client.put('/api/homepage', { title: 'Later', publishedAt: null });
  const path = `/api/homepage/${body.data.id}/schedule`;
  const sent = request(client.service.url).post(path).auth(client.service.token, { type: 'bearer' });
  expect((await sent.send({ publishAt: morning })).body.data.publishAt).toBe(morning);
  expect((await client.get(path)).body.data).toEqual({ publishAt: morning, unpublishAt: null });
  const { database, documents, registry } = client.service;
  const homepage = registry.contentTypes.get('api::homepage.homepage') as ContentType;
  const [due] = await openSchedules(database.db).find(homepage, { dueBy: after(morning), limit: 1 });
  expect(await documents.schedules.run(homepage, due as never, after(morning))).toBe('done');
  expect((await client.get('/api/homepage')).body.data.attributes.title).toBe('Later');
  expect((await client.get('/api/setting/1/schedule')).status).toBe(404);
});

test('times that passed while no process ran are done in their order', async () => {
  const id = await draft();
  await send('post', id, { publishAt: noon, unpublishAt: morning });
  await run(after(noon));
  await run(after(noon));
  expect([await isPublished(id), (await send('get', id)).body.data]).toEqual([
    true,
    { publishAt: null, unpublishAt: null },
  ]);
});

test('a schedule is replaced and cancelled, and a published entry is not published again', async () => {
  const id = await draft();
  await send('post', id, { publishAt: morning });
  await send('post', id, { publishAt: noon });
  expect(await run(after(morning))).toEqual([]);
  expect((await send('delete', id)).body.data).toEqual({ publishAt: null, unpublishAt: null });
  expect(await run(after(noon))).toEqual([]);
  await send('post', id, { publishAt: noon });
  const publishedAt = '2024-01-01T00:00:00.000Z';
  await client.put(`/api/articles/${id}`, { publishedAt });
  expect(await run(after(noon))).toEqual(['unchanged', 'unchanged', 'unchanged']);
  expect((await client.get(`/api/articles/${id}`)).body.data.attributes.publishedAt).toBe(publishedAt);
  expect((await send('get', id)).body.data.publishAt).toBeNull();
});

test.each([
  [{}, 'publishAt or unpublishAt is required'],
  [{ publishAt: '2020-01-01' }, 'publishAt must be in the future'],
  [{ publishAt: 5 }, 'publishAt must be a date and time, e.g. 2030-01-31T09:00:00Z'],
  [{ publishAt: morning, unpublishAt: morning }, 'publishAt and unpublishAt must be different times'],
  [{ publishedAt: morning }, 'unknown property "publishedAt"'],
])('%j is refused', async (body, message) => {
  const { status, body: answer } = await send('post', await draft(), body);
  expect([status, answer.error.message]).toEqual([400, message]);
});

test('an entry that is not there, and types without drafts, have no schedule', async () => {
  for (const method of ['get', 'post', 'delete'] as const) {
    expect((await send(method, 999_999, { publishAt: morning })).status).toBe(404);
  }
  const tag = await client.create('tags', { name: 'without drafts' });
  expect((await client.get(`/api/tags/${tag}/schedule`)).status).toBe(404);
});

test('a schedule needs the right to update the entry, and to write publishedAt', async () => {
  const [open, closed] = [await draft(), await draft()];
  await client.put(`/api/articles/${closed}`, { title: 'Closed' });
  const where = { title: 'Later' };
  const update = { action: `${uid}.update`, where };
  await declare(
    client.service,
    {},
    {
      reader: [`${uid}.find`, `${uid}.findOne`],
      writer: [update, `${uid}.findOne`],
      editor: [{ ...update, fields: ['title'] }, `${uid}.findOne`],
    },
  );
  const tried = async (token: string, id: number): Promise<number> =>
    (await send('post', id, { publishAt: morning }, keyOf(token))).status;
  expect([await tried('reader', open), await tried('writer', open), await tried('writer', closed)]).toEqual([
    403, 200, 404,
  ]);
  expect(await tried('editor', open)).toBe(400);
});

test('the schedules of several entries are read together, as far as the caller may change them', async () => {
  const [first, second, none, closed] = [await draft(), await draft(), await draft(), await draft()];
  await send('post', first, { publishAt: noon });
  await send('post', second, { unpublishAt: morning });
  await send('post', closed, { publishAt: noon });
  await client.put(`/api/articles/${closed}`, { title: 'Closed' });
  await declare(
    client.service,
    {},
    { writer: [{ action: `${uid}.update`, where: { title: 'Later' } }], reader: [`${uid}.find`, `${uid}.findOne`] },
  );
  const read = async (ids: string, token: string = client.service.token): Promise<Answer> =>
    request(client.service.url).get(`/api/articles/schedules?ids=${ids}`).auth(token, { type: 'bearer' });
  const ids = [none, first, second, closed, 999_999].join();
  const open = [
    { id: second, publishAt: null, unpublishAt: morning },
    { id: first, publishAt: noon, unpublishAt: null },
  ];
  expect((await read(ids)).body.data).toEqual([...open, { id: closed, publishAt: noon, unpublishAt: null }]);
  expect((await read(ids, keyOf('writer'))).body.data).toEqual(open);
  expect((await read(String(closed), keyOf('writer'))).body.data).toEqual([]);
  expect((await read(ids, keyOf('reader'))).status).toBe(403);
  for (const wrong of ['', '1,a', '1,', Array.from({ length: 101 }, (_, index) => index).join()]) {
    const { status, body } = await read(wrong);
    expect([status, body.error.message]).toEqual([400, 'ids must be 1 to 100 ids: ids=1,2,3']);
  }
  expect((await client.get('/api/tags/schedules?ids=1')).status).toBe(404);
});

test('what is scheduled is listed, soonest first, as far as the caller may change it', async () => {
  const { token } = client.service;
  const list = async (key: string): Promise<Answer> =>
    request(client.service.url).get('/api/articles/schedules').auth(key, { type: 'bearer' });
  const [first, second, , closed] = [await draft(), await draft(), await draft(), await draft()];
  for (const { id } of (await list(token)).body.data) await send('delete', id);
  expect((await list(token)).body).toEqual({ data: [] });
  await send('post', first, { publishAt: noon });
  await send('post', second, { unpublishAt: morning });
  await send('post', closed, { publishAt: '2090-01-01T10:00:00.000Z', unpublishAt: noon });
  await client.put(`/api/articles/${closed}`, { title: 'Closed' });
  await declare(
    client.service,
    {},
    { writer: [{ action: `${uid}.update`, where: { title: 'Later' } }], reader: [`${uid}.find`] },
  );
  const ids = async (key: string): Promise<readonly number[]> =>
    (await list(key)).body.data.map(({ id }: { readonly id: number }) => id);
  expect(await ids(token)).toEqual([second, closed, first]);
  expect((await list(keyOf('writer'))).body.data).toEqual([
    { id: second, publishAt: null, unpublishAt: morning },
    { id: first, publishAt: noon, unpublishAt: null },
  ]);
  expect((await list(keyOf('reader'))).status).toBe(403);
});

test('the schedule of a restored entry is found', async () => {
  const { db } = client.service.database;
  const id = await draft();
  await send('post', id, { publishAt: morning });
  const stored = await db.collection<{ _id: number }>('articles').findOne({ _id: id });
  await client.delete(`/api/articles/${id}`);
  await db.collection<{ _id: string }>('_schedules').deleteMany({});
  const store = openStore(db, { timeout: 60_000, exclusive: false });
  await store.replace(type(), [stored as StoredDocument]);
  expect([await store.schedules.types(), await run(after(morning)), await isPublished(id)]).toEqual([
    [uid],
    expect.arrayContaining(['done']),
    true,
  ]);
});

test('the schedule says which value an entry lacks, in words and as a rule', async () => {
  const id = await client.create('articles', { title: null, publishedAt: null });
  await send('post', id, { publishAt: morning });
  expect(await run(after(morning))).toContainEqual(expect.objectContaining({ code: 'validation' }));
  expect((await send('get', id)).body.data).toMatchObject({
    error: 'title must be defined',
    refusal: { code: 'validation', issues: [{ path: ['title'], rule: 'required' }] },
  });
});

test('the commands list, set and cancel schedules', async () => {
  const id = await draft();
  const command = (usage: string, input = {}) =>
    client.service.commands.find((each) => each.usage === usage)?.run({ uid, id: String(id), ...input });
  await command('schedule set <uid> <id>', { unpublishAt: noon });
  const row = { uid, id, publishAt: null, unpublishAt: noon, error: null };
  expect((await command('schedule list'))?.rows).toContainEqual(row);
  await command('schedule cancel <uid> <id>');
  expect((await command('schedule list'))?.rows).not.toContainEqual(row);
  await expect(command('schedule set <uid> <id>', { uid: 'api::unknown.unknown', publishAt: noon })).rejects.toThrow(
    'unknown',
  );
});

test('one command sets a schedule of a type that has had one', async () => {
  const id = await draft();
  await send('post', id, { publishAt: noon });
  const commands: string[] = [];
  const note = ({ commandName, command }: CommandStartedEvent): void => {
    const collection = String(command[commandName]);
    if (collection === 'articles' || (collection === '_schedules' && commandName !== 'find'))
      commands.push(`${commandName} ${collection}`);
  };
  const { client: driver } = client.service.database;
  driver.on('commandStarted', note);
  await send('post', id, { publishAt: morning });
  driver.off('commandStarted', note);
  expect(commands).toEqual(['update articles']);
});
