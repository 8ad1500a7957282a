import { expect, test } from '@jest/globals';
import request from 'supertest';
import type { ContentType } from '../../../../src/content-types/model/types.js';
import { openSchedules } from '../../../../src/mongo/events/schedules.js';
import { declare, keyOf } from '../../../support/access.js';
import { useService, type Answer } from '../../../support/service.js';

const client = useService({
  contentTypes: 'tests/api/documents/publication/content-types',
  plugins: { i18n: { config: { locales: ['en', 'de'] } } },
});
const uid = 'api::event.event';

const draft = (data: object = {}): Promise<number> =>
  client.create('events', { publishedAt: null, blocks: [{ __component: 'blocks.quote' }], ...data });
const path = (id: number, query = ''): string => `/api/events/${id}${query}`;
const isPublished = async (id: number): Promise<boolean> =>
  (await client.get(path(id))).body.data.attributes.publishedAt !== null;
const pathsIn = ({ status, body }: Answer): unknown => [
  status,
  body.error?.details.errors.map((error: { path: readonly string[] }) => error.path.join('.')),
];
const batch = (...operations: readonly object[]): Promise<Answer> =>
  request(client.service.url).post('/api/batch').auth(client.service.token, { type: 'bearer' }).send({ operations });

test('status=published of a PUT publishes a draft, all of which is checked', async () => {
  const id = await draft();
  expect(pathsIn(await client.put(path(id, '?status=published'), {}))).toEqual([
    400,
    ['title', 'code', 'blocks.0.text'],
  ]);
  // It is shared with localizations, of which there are none yet.
  expect(pathsIn(await client.put(path(id, '?status=published'), { code: 'A-1' }))).toEqual([
    400,
    ['title', 'blocks.0.text'],
  ]);
  expect(await isPublished(id)).toBe(false);
  const data = { title: 'Fair', code: 'A-1', blocks: [{ __component: 'blocks.quote', text: 'Yes' }] };
  const published = await client.put(path(id, '?status=published'), data);
  expect([published.status, await isPublished(id)]).toEqual([200, true]);
  const { publishedAt } = published.body.data.attributes;
  const again = await client.put(path(id, '?status=published'), { seats: 3 });
  expect(again.body.data.attributes).toMatchObject({ seats: 3, publishedAt });
});

test('status=published also checks an entry that is published already, and may name the time', async () => {
  const id = await draft({ title: 'Fair', blocks: [] });
  await client.put(path(id), { publishedAt: '2024-01-01T00:00:00.000Z' });
  expect(await isPublished(id)).toBe(true);
  expect(pathsIn(await client.put(path(id, '?status=published'), { seats: 3 }))).toEqual([400, ['code']]);
  const other = await draft({ title: 'Fair', code: 'A-1', blocks: [] });
  const publishedAt = '2024-01-01T00:00:00.000Z';
  const named = await client.put(path(other, '?status=published'), { publishedAt });
  expect(named.body.data.attributes.publishedAt).toBe(publishedAt);
  expect(pathsIn(await client.put(path(other, '?status=published'), { publishedAt: null }))).toEqual([
    400,
    ['publishedAt'],
  ]);
});

test('what a publication writes is checked like the rest, and its new components as a whole', async () => {
  const id = await draft({ title: 'Fair', code: 'A-1', blocks: [] });
  const publish = (data: object): Promise<Answer> => client.put(path(id, '?status=published'), data);
  expect(pathsIn(await publish({ code: 'A' }))).toEqual([400, ['code']]);
  expect(pathsIn(await publish({ blocks: [{ __component: 'blocks.quote' }] }))).toEqual([400, ['blocks.0.text']]);
  expect(await isPublished(id)).toBe(false);
  expect((await publish({ blocks: [{ __component: 'blocks.quote', text: 'Yes' }] })).status).toBe(200);
  const [{ id: quote }] = (await client.get(path(id, '?populate=blocks'))).body.data.attributes.blocks;
  // A component that is kept has what it had.
  expect((await publish({ blocks: [{ __component: 'blocks.quote', id: quote }] })).status).toBe(200);
});

test('without status=published a PUT checks what it contains, as in Strapi v4, and types without drafts know no status', async () => {
  const id = await draft();
  expect((await client.put(path(id, '?status=draft'), { publishedAt: new Date() })).status).toBe(200);
  expect(await isPublished(id)).toBe(true);
  const place = await client.create('places', { name: 'Hall' });
  expect((await client.put(`/api/places/${place}?status=published`, { name: 'Yard' })).status).toBe(200);
});

test('the entry of a single type is published with all checks', async () => {
  await client.put('/api/notice', { publishedAt: null, color: 'red' });
  expect(pathsIn(await client.put('/api/notice?status=published', {}))).toEqual([400, ['text']]);
  expect((await client.put('/api/notice?status=published', { text: 'Closed' })).status).toBe(200);
  expect((await client.get('/api/notice')).body.data.attributes.text).toBe('Closed');
});

test('a batch publishes drafts, or names all that cannot be published', async () => {
  const [first, second, third] = [
    await draft(),
    await draft({ title: 'Fair', code: 'A-1', blocks: [] }),
    await draft(),
  ];
  const publish = (id: number): object => ({ update: 'events', id, data: {}, status: 'published' });
  expect(pathsIn(await batch(publish(first), publish(second), publish(third)))).toEqual([
    400,
    [0, 2].flatMap((index) => ['title', 'code', 'blocks.0.text'].map((name) => `operations.${index}.data.${name}`)),
  ]);
  expect(await isPublished(second)).toBe(false);
  expect((await batch(publish(second))).status).toBe(200);
  expect(await isPublished(second)).toBe(true);
});

test('an operation has another status only for types with working copies', async () => {
  const id = await draft();
  const operations = [
    { update: 'events', id, data: {}, status: 'draft' },
    { create: 'events', data: {}, status: 'published' },
    { update: 'places', id: 1, data: {}, status: 'published' },
  ];
  for (const operation of operations) {
    const { status, body } = await batch(operation);
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(/^operations\[0\].*status/)]);
  }
});

test('who may not publish gets 403', async () => {
  const id = await draft({ title: 'Fair', code: 'A-1', blocks: [] });
  const fields = ['title', 'code', 'blocks', 'seats'];
  const permissions = [{ action: `${uid}.update`, fields }, `${uid}.findOne`, `${uid}.find`];
  await declare(client.service, {}, { writer: permissions });
  const sent = await request(client.service.url)
    .put(path(id, '?status=published'))
    .auth(keyOf('writer'), { type: 'bearer' })
    .send({ data: {} });
  expect([sent.status, await isPublished(id)]).toEqual([403, false]);
});

test('a schedule publishes no draft that lacks something, and says what', async () => {
  const id = await draft({ title: 'Fair' });
  const address = `${path(id)}/schedule`;
  const [time, due] = ['2090-01-01T08:00:00.000Z', new Date('2090-01-01T08:00:00.001Z')];
  const schedule = () =>
    request(client.service.url).post(address).auth(client.service.token, { type: 'bearer' }).send({ publishAt: time });
  const run = async (): Promise<void> => {
    const type = client.service.registry.contentTypes.get(uid) as ContentType;
    for (const entry of await openSchedules(client.service.database.db).find(type, { dueBy: due, limit: 10 }))
      await client.service.documents.schedules.run(type, entry, due);
  };
  await schedule();
  await run();
  expect(await isPublished(id)).toBe(false);
  const { error } = (await client.get(address)).body.data;
  expect(error).toBe('code must be defined; blocks[0].text must be defined');
  await client.put(path(id), { code: 'A-1', blocks: [] });
  await schedule();
  await run();
  expect((await client.get(path(id))).body.data.attributes.publishedAt).toBe(due.toISOString());
});
