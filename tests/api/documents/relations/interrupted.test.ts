import { expect, test } from '@jest/globals';
import { openIntents } from '../../../../src/mongo/write/intents.js';
import { openStore } from '../../../../src/mongo/store.js';
import type { LinkChange } from '../../../../src/query/mutation.js';
import { cutOff } from '../../../support/cut-off.js';
import { useService } from '../../../support/service.js';
import { createMany, related } from './related.js';
import { set, writeByHand } from './write-by-hand.js';

const client = useService();
const { create, put, delete: remove } = client;
const { update, takeOver } = writeByHand(client);
const options = { timeout: 5000, exclusive: true };

const intents = (): Promise<number> =>
  client.service.database.db.collection('_intents').countDocuments({ done: { $exists: false } });

test.each([
  ['after its first step was done', 'after', 'updateOne'],
  ['before its second step was done', 'before', 'aggregate'],
  ['after all was done', 'after', 'aggregate'],
] as const)('a write interrupted %s is completed before the next one', async (_, when, method) => {
  const card = await create('seo-cards', { headline: 'Card' });
  const [first = 0, second = 0] = await createMany(client, 'articles', 2, () => ({ title: 'Holder' }));
  await put(`/api/articles/${first}`, { seoCard: card });
  const store = openStore(cutOff(client.service.database.db, when, method), options);
  await expect(store.apply(await takeOver(second, card))).rejects.toThrow('The database does not answer');
  expect(await intents()).toBe(1);
  const other = await create('articles', { title: 'Next' });
  await store.apply([update(other, 'related', set(first))]);
  expect(await intents()).toBe(0);
  expect(await related(client, `/api/articles/${first}`, 'seoCard')).toBeNull();
  expect(await related(client, `/api/seo-cards/${card}`, 'article')).toBe(second);
});

test('a write interrupted before its first step is discarded', async () => {
  const { database, registry } = client.service;
  const card = await create('seo-cards', { headline: 'Card' });
  const [first = 0, second = 0] = await createMany(client, 'articles', 2, () => ({ title: 'Holder' }));
  await put(`/api/articles/${first}`, { seoCard: card });
  const store = openStore(cutOff(database.db, 'before', 'updateOne'), options);
  await expect(store.apply(await takeOver(second, card))).rejects.toThrow('The database does not answer');
  const other = await create('articles', { title: 'Next' });
  await store.apply([update(other, 'related', set(first))]);
  // It may still be on its way: the record is kept until it cannot be any more.
  expect(await intents()).toBe(1);
  await store.sweep(registry, 0);
  expect(await intents()).toBe(0);
  expect(await related(client, `/api/seo-cards/${card}`, 'article')).toBe(first);
});

test.each([
  ['before', true],
  ['after', true],
  ['after', false],
] as const)(
  'a write whose intent failed %s it was recorded never happens (exclusive database: %s)',
  async (when, exclusive) => {
    const card = await create('seo-cards', { headline: 'Card' });
    const [first = 0, second = 0] = await createMany(client, 'articles', 2, () => ({ title: 'Holder' }));
    await put(`/api/articles/${first}`, { seoCard: card });
    const store = openStore(cutOff(client.service.database.db, when, 'insertOne', '_intents'), {
      ...options,
      exclusive,
    });
    await expect(store.apply(await takeOver(second, card))).rejects.toThrow('The database does not answer');
    expect(await intents()).toBe(when === 'after' ? 1 : 0);
    const other = await create('articles', { title: 'Next' });
    await store.apply([update(other, 'related', set(first))]);
    expect(await intents()).toBe(0);
    expect(await related(client, `/api/seo-cards/${card}`, 'article')).toBe(first);
  },
);

test('a refused write leaves no intent', async () => {
  const card = await create('seo-cards', { headline: 'Card' });
  await create('articles', { title: 'Coded', code: 'taken' });
  const holder = await create('articles', { title: 'Holder', seoCard: card });
  expect((await client.post('/api/articles', { title: 'x', code: 'taken', seoCard: card })).status).toBe(400);
  expect(await intents()).toBe(0);
  expect(await related(client, `/api/seo-cards/${card}`, 'article')).toBe(holder);
});

test('a refused write whose intent cannot be removed is answered as unavailable, so that its id is not used again', async () => {
  const { database } = client.service;
  const card = await create('seo-cards', { headline: 'Card' });
  const article = await create('articles', { title: 'Holder', code: 'held', seoCard: card });
  const [write, ...others] = await takeOver(await create('articles', { title: 'Refused' }), card);
  const code = { ...write, changes: { ...write.changes, values: new Map([['code', 'held']]) } };
  const store = openStore(cutOff(database.db, 'before', 'deleteOne', '_intents'), options);
  await expect(store.apply([code, ...others])).rejects.toThrow('The database does not answer');
  await store.apply([update(article, 'related', set(article))]);
  expect(await intents()).toBe(0);
  expect(await related(client, `/api/seo-cards/${card}`, 'article')).toBe(article);
});

test('recovery does not repeat a completed step, whose positions may have changed', async () => {
  const { db } = client.service.database;
  const [a = 0, b = 0, c = 0, d = 0] = await createMany(client, 'articles', 4, () => ({ title: 'Related' }));
  const article = await create('articles', { title: 'Placed', related: [b, c, d] });
  const connect: LinkChange['connect'] = [
    { id: a, position: { at: 'before', id: b } },
    { id: d, position: { at: 'end' } },
    { id: b, position: { at: 'after', id: d } },
  ];
  const write = update(article, 'related', { replaces: false, disconnect: [], connect });
  await openStore(db, options).apply([write]);
  const once = await related(client, `/api/articles/${article}`, 'related');
  expect(once).toEqual([a, c, d, b]);
  await openIntents(db).record({ id: 'left', writes: [write] });
  await openStore(db, options).prepare(client.service.registry);
  expect(await related(client, `/api/articles/${article}`, 'related')).toEqual(once);
  expect(await intents()).toBe(0);
});

test('dependent writes of a deleted entry are not applied', async () => {
  const { db } = client.service.database;
  const card = await create('seo-cards', { headline: 'Card' });
  const holder = await create('articles', { title: 'Holder', seoCard: card });
  const gone = await create('articles', { title: 'Gone' });
  await remove(`/api/articles/${gone}`);
  await openIntents(db).record({ id: 'left', writes: await takeOver(gone, card) });
  await openStore(db, options).prepare(client.service.registry);
  expect(await related(client, `/api/seo-cards/${card}`, 'article')).toBe(holder);
  expect(await intents()).toBe(0);
});

test('the next start removes a link to an entry that was deleted while its writer crashed', async () => {
  const { db } = client.service.database;
  const [doomed = 0, other] = await createMany(client, 'tags', 2, (index) => ({ name: `Doomed ${index}` }));
  const article = await create('articles', { title: 'Late', tags: [other] });
  await remove(`/api/tags/${doomed}`);
  // The writer found the tag before it was deleted.
  const late = { $push: { tags: doomed, '_rank.tags': 99 } as Record<string, number> };
  await db.collection<{ _id: number }>('articles').updateOne({ _id: article }, late);
  await openStore(db, options).prepare(client.service.registry);
  expect(await db.collection<{ _id: number }>('articles').findOne({ _id: article })).toMatchObject({ tags: [other] });
});

test('the next start does not delete an entry again that was restored from a backup', async () => {
  const { db } = client.service.database;
  const tag = await create('tags', { name: 'Restored' });
  const tags = db.collection<{ _id: number }>('tags');
  const document = await tags.findOne({ _id: tag });
  await remove(`/api/tags/${tag}`);
  if (document !== null) await tags.insertOne(document);
  await openStore(db, options).prepare(client.service.registry);
  expect(await tags.findOne({ _id: tag })).toEqual(document);
  expect(await intents()).toBe(0);
});
