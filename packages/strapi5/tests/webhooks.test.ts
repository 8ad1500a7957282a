import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import type { ContentType } from '../../../src/content-types/model/types.js';
import { system } from '../../../src/documents/caller.js';
import { plainEntry } from '../../../src/query/entry-presenter.js';
import { openEventLog } from '../../../src/mongo/events/event-log.js';
import { openCounters } from '../../../src/mongo/write/counters.js';
import { WebhookRecords, type StoredWebhook } from '../../../src/mongo/events/webhook-records.js';
import { useService } from '../../../tests/support/service.js';
import { openReceiver, type Arrival, type Receiver } from '../../../tests/support/webhook-receiver.js';
import { createEventForm } from '../src/events/event-form.js';

const client = useService({
  plugins: { strapi5: true, i18n: { config: { locales: ['en', 'fr'] } } },
  environment: { EVENTS: 'true', WEBHOOK_PRIVATE_NETWORKS: 'true' },
});
const { events } = createEventForm({} as never);
const secret = 'a secret of 20 chars';

let receiver: Receiver;
let from = 0;
beforeAll(async () => {
  receiver = await openReceiver();
  await add({ name: 'format 5', url: `${receiver.url}/5`, events, format: '5', secret });
  await add({ name: 'format 4', url: `${receiver.url}/4`, events: ['entry.create', 'entry.update', 'entry.delete'] });
});
afterAll(async () => receiver.close());
beforeEach(() => {
  from = received('/5').length;
});

const add = async (
  webhook: Pick<StoredWebhook, 'name' | 'url' | 'events'> & Partial<StoredWebhook>,
): Promise<unknown> => new WebhookRecords(client.service.database.db).add({ headers: {}, isEnabled: true, ...webhook });
const received = (path: string): readonly Arrival[] => receiver.arrivals.filter((arrival) => arrival.path === path);
/** The next events in the format 5, of this test. */
async function arrived(count: number): Promise<readonly Arrival[]> {
  while (received('/5').length < from + count) await receiver.arrived(receiver.arrivals.length + 1);
  return received('/5').slice(from);
}
/** As the editor does: there is no address for it in Strapi 5's REST API. */
async function discard(id: number): Promise<void> {
  const { documents, registry } = client.service;
  const type = registry.contentTypes.get('api::article.article') as ContentType;
  const request = { caller: system, presenter: plainEntry, selection: { fields: [], populate: [] } } as const;
  await documents.delete({ type, id }, { ...request, status: 'draft' });
}
const outcome = (arrivals: readonly Arrival[]) =>
  arrivals.map(({ body: { event, entry } }) => [event, entry.title ?? entry.name, entry.publishedAt === null]);

describe('a webhook in the format 5', () => {
  test('gets drafts as created and updated, and publications as events of their own, flat and populated', async () => {
    const { documentId: author } = (await client.post('/v5/api/authors', { name: 'Ida' })).body.data;
    const [{ body: ofAuthor } = { body: undefined }] = await arrived(1);
    expect(ofAuthor).toMatchObject({ event: 'entry.create', model: 'author', uid: 'api::author.author' });
    expect(ofAuthor.entry).toMatchObject({ documentId: author, name: 'Ida', publishedAt: expect.any(String) });

    const seo = { metaTitle: 'x' };
    const { documentId, id } = (await client.post('/v5/api/articles', { title: 'One', author, seo })).body.data;
    const [, created, published] = await arrived(3);
    expect(outcome([created, published] as Arrival[])).toEqual([
      ['entry.create', 'One', true],
      ['entry.publish', 'One', false],
    ]);
    expect(Object.keys(published?.body)).toEqual(['event', 'createdAt', 'model', 'uid', 'entry']);
    expect(published?.body).toMatchObject({
      model: 'article',
      uid: 'api::article.article',
      entry: { id, documentId, author: { documentId: author, name: 'Ida' }, seo, tags: [], cover: null, locale: 'en' },
    });
    // Neither what is private, nor what is behind related entries.
    expect(published?.body.entry).not.toHaveProperty('internalNote');
    expect(published?.body.entry.author).not.toHaveProperty('articles');
    expect(published?.headers['x-strapi-event']).toBe('entry.publish');
    const signed = `${String(published?.headers['x-timestamp'])}.${published?.text}`;
    expect(published?.headers['x-signature']).toBe(
      `sha256=${createHmac('sha256', secret).update(signed).digest('hex')}`,
    );
  });

  test('gets what is saved beside a published entry, discarded, published, and taken back', async () => {
    const { documentId, id } = (await client.post('/v5/api/articles', { title: 'One' })).body.data;
    const put = (query: string, data: object) => client.put(`/v5/api/articles/${documentId}${query}`, data);
    await arrived(2);
    expect((await put('?status=draft', { title: 'Prepared' })).status).toBe(200);
    await arrived(3);
    await discard(id);
    await arrived(4);
    await put('?status=draft', { title: 'Two' });
    await arrived(5);
    await put('', {});
    await arrived(7);
    await client.put(`/api/articles/${id}`, { publishedAt: null });
    await arrived(8);
    await put('?status=draft', { title: 'Three' });
    await arrived(9);
    await client.delete(`/v5/api/articles/${documentId}`);
    // Each shows the draft as it was when it was sent.
    expect(outcome(await arrived(10))).toEqual([
      ['entry.create', 'One', true],
      ['entry.publish', 'One', false],
      ['entry.update', 'Prepared', true],
      ['entry.draft-discard', 'One', true],
      ['entry.update', 'Two', true],
      ['entry.update', 'Two', true],
      ['entry.publish', 'Two', false],
      ['entry.unpublish', 'Two', true],
      ['entry.update', 'Three', true],
      ['entry.delete', 'Three', true],
    ]);
    const all = await arrived(10);
    expect(new Set(all.map(({ body }) => body.entry.documentId))).toEqual(new Set([documentId]));
    expect(all.at(-1)?.body.entry).not.toHaveProperty('author');
  });

  test('gets what a process had saved and discarded that was killed before it said so', async () => {
    const { id } = (await client.post('/v5/api/articles', { title: 'One' })).body.data;
    const prepared = (await client.post('/v5/api/articles', { title: 'Two' })).body.data;
    await client.put(`/v5/api/articles/${prepared.documentId}?status=draft`, { title: 'Prepared' });
    await arrived(5);
    const { database, registry } = client.service;
    const { copies } = registry.contentTypes.get('api::article.article') as ContentType;
    const type = copies as ContentType;
    const saved = database.db.collection<{ _id: number; updatedAt: Date }>(type.collectionName);
    const { updatedAt } = (await saved.findOne({ _id: prepared.id })) ?? {};
    const log = openEventLog(database.db, openCounters(database.db));
    await log.turnOn();
    await log.open({ type, id, action: 'delete', names: [] });
    await log.open({ type, id: prepared.id, action: 'update', names: [], written: updatedAt });
    await log.open({ type, id: prepared.id, action: 'update', names: [], written: new Date(0) });
    await log.recover(registry, 0);
    expect(outcome((await arrived(7)).slice(5)).toSorted()).toEqual([
      ['entry.draft-discard', 'One', true],
      ['entry.update', 'Prepared', true],
    ]);
  });

  test('gets a locale as a new entry of its document, and files', async () => {
    const { documentId } = (await client.post('/v5/api/categories', { name: 'News' })).body.data;
    await client.put(`/v5/api/categories/${documentId}?locale=fr`, { name: 'Nouvelles' });
    const [, french] = await arrived(2);
    const entry = { documentId, name: 'Nouvelles', locale: 'fr', publishedAt: expect.any(String) };
    expect(french?.body).toMatchObject({ event: 'entry.create', entry });
    const upload = () => request(client.service.url).post('/api/upload').auth(client.service.token, { type: 'bearer' });
    const { id } = (await upload().attach('files', Buffer.from('rye'), 'rye.txt')).body[0];
    await arrived(3);
    await upload()
      .query({ id })
      .field('fileInfo', JSON.stringify({ caption: 'Rye' }));
    await arrived(4);
    await client.delete(`/api/upload/files/${id}`);
    const ofFiles = (await arrived(5)).slice(2);
    expect(ofFiles.map(({ body: { event, media } }) => [event, media.id, media.caption])).toEqual([
      ['media.create', id, null],
      ['media.update', id, 'Rye'],
      ['media.delete', id, 'Rye'],
    ]);
    expect(new Set(ofFiles.map(({ body }) => body.media.documentId)).size).toBe(1);
    expect(Object.keys(ofFiles[0]?.body)).toEqual(['event', 'createdAt', 'media']);
  });
});

test('webhooks in the format of Strapi v4 hear nothing of working copies, and know no documentIds', async () => {
  await client.create('tags', { name: 'last' });
  const ofLast = ({ body }: Arrival): boolean => body.entry.name === 'last';
  while (!received('/4').some(ofLast)) await receiver.arrived(receiver.arrivals.length + 1);
  const arrivals = received('/4');
  expect(arrivals.length).toBeGreaterThan(5);
  expect(arrivals.map(({ text }) => text).join('')).not.toContain('documentId');
  expect(arrivals.filter(({ text }) => text.includes('Prepared'))).toEqual([]);
});
