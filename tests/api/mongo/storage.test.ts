import { expect, test } from '@jest/globals';
import { encodeSteps } from '../../../src/mongo/transactions/steps.js';
import { openStore } from '../../../src/mongo/store.js';
import { useService } from '../../support/service.js';

const client = useService();
const { put, delete: remove, create } = client;
const stored = (collection: string, id: number) =>
  client.service.database.db.collection<{ [name: string]: any; _id: number }>(collection).findOne({ _id: id });

test('an entry is one document: ids, ranks, references and unique keys, without nulls and empty lists', async () => {
  const author = await create('authors', { name: 'Ada' });
  const tags = [await create('tags', { name: 'A' }), await create('tags', { name: 'B' })];
  const id = await create('articles', {
    title: 'Stored',
    body: null,
    bignum: '9007199254740993',
    author,
    tags,
    related: [],
    blocks: [{ __component: 'blocks.quote', text: 'q', source: author }],
  });
  const document = await stored('articles', id);
  expect(document).toEqual({
    _id: id,
    title: 'Stored',
    kind: 'news',
    views: 0,
    featured: false,
    bignum: expect.anything(),
    blocks: [{ __component: 'blocks.quote', id: expect.any(Number), text: 'q', source: author }],
    author,
    tags,
    _rank: { author: expect.any(Number), tags: [expect.any(Number), expect.any(Number)] },
    _refs: [{ a: expect.stringMatching(/^blocks\.blocks\.quote:\d+\.source$/), r: `api::author.author:${author}` }],
    _live: 1,
    locale: 'en',
    createdAt: expect.any(Date),
    updatedAt: expect.any(Date),
    publishedAt: expect.any(Date),
  });
  expect(String(document?.['bignum'])).toBe('9007199254740993');
  // A scan looks for these in every entry, from the beginning.
  expect(Object.keys(document ?? {}).slice(0, 3)).toEqual(['_id', 'locale', '_live']);
});

test('a change of one attribute leaves the references and ranks of the others', async () => {
  const author = await create('authors', { name: 'Ben' });
  const id = await create('articles', {
    title: 'Changed',
    author,
    blocks: [{ __component: 'blocks.quote', text: 'q', source: author }],
  });
  const before = await stored('articles', id);
  await put(`/api/articles/${id}`, { summary: 'something else', author });
  const after = await stored('articles', id);
  expect(after).toMatchObject({ _rank: before?.['_rank'], _refs: before?.['_refs'], summary: 'something else' });
  await put(`/api/articles/${id}`, { blocks: [] });
  expect(await stored('articles', id)).not.toHaveProperty('_refs');
});

test('a deleted entry is removed from every relation, component and zone', async () => {
  const [author, other] = [await create('authors', { name: 'Gone' }), await create('authors', { name: 'Stays' })];
  const [tag, kept] = [await create('tags', { name: 'Gone' }), await create('tags', { name: 'Stays' })];
  const id = await create('articles', {
    title: 'Left',
    author,
    tags: [tag, kept],
    blocks: [
      { __component: 'blocks.quote', text: 'a', source: author, mentions: [tag, kept] },
      { __component: 'blocks.quote', text: 'b', source: other },
    ],
  });
  await remove(`/api/authors/${author}`);
  await remove(`/api/tags/${tag}`);
  const document = await stored('articles', id);
  expect(document).not.toHaveProperty('author');
  expect(document).toMatchObject({
    tags: [kept],
    _rank: { tags: [expect.any(Number)] },
    blocks: [
      { text: 'a', mentions: [kept] },
      { text: 'b', source: other },
    ],
    _refs: [{ r: `api::tag.tag:${kept}` }, { r: `api::author.author:${other}` }],
  });
  expect(document?.['blocks'][0]).not.toHaveProperty('source');
});

test('a bidirectional one-to-one relation has one owner', async () => {
  const card = await create('seo-cards', { headline: 'Card' });
  const [first, second] = [
    await create('articles', { title: 'First', seoCard: card }),
    await create('articles', { title: 'Second', seoCard: card }),
  ];
  expect(await stored('articles', first)).not.toHaveProperty('seoCard');
  expect(await stored('articles', second)).toHaveProperty('seoCard', card);
});

/** A transaction that has deleted a tag, and whose process died. */
async function leaveDelete(tag: number, state: 'open' | 'committed'): Promise<void> {
  const { db } = client.service.database;
  const removal = { kind: 'remove', collection: 'tags', ids: [tag] } as const;
  const unlink = { filter: { tags: tag }, update: { $unset: { tags: '', '_rank.tags': '' } } };
  const after = encodeSteps([removal, { kind: 'update', collection: 'articles', ...unlink }]);
  await db
    .collection<{ _id: string }>('_transactions')
    .insertOne({ _id: 'left', state, at: new Date(), after } as never);
  await db
    .collection<{ _id: number }>('tags')
    .updateOne({ _id: tag }, { $set: { _lock: { by: 'left', removed: true } } });
}

test('what follows a commit that a crash interrupted is done by the next start', async () => {
  const { registry, database } = client.service;
  const tag = await create('tags', { name: 'Interrupted' });
  const id = await create('articles', { title: 'Interrupted', tags: [tag] });
  await leaveDelete(tag, 'committed');
  await openStore(database.db, { timeout: 60_000, exclusive: true }).prepare(registry);
  expect(await stored('tags', tag)).toBeNull();
  expect(await stored('articles', id)).not.toHaveProperty('tags');
  expect(await database.db.collection('_transactions').countDocuments()).toBe(0);
});

test('the next start aborts a transaction that a crash interrupted', async () => {
  const { registry, database } = client.service;
  const tag = await create('tags', { name: 'Not begun' });
  const id = await create('articles', { title: 'Not begun', tags: [tag] });
  await leaveDelete(tag, 'open');
  await openStore(database.db, { timeout: 60_000, exclusive: true }).prepare(registry);
  expect(await stored('articles', id)).toHaveProperty('tags', [tag]);
  expect(await database.db.collection('_transactions').countDocuments()).toBe(0);
  // Whoever meets a lock without a record removes it.
  expect((await put(`/api/tags/${tag}`, { color: 'red' })).status).toBe(200);
  expect(await stored('tags', tag)).not.toHaveProperty('_lock');
});

test('duplicate values of a new unique attribute are reported, and the service starts without the index', async () => {
  const { registry, database } = client.service;
  const tag = registry.contentTypes.get('api::tag.tag');
  if (tag === undefined) throw new Error('corpus');
  const tags = database.db.collection<{ _id: number; name: string }>(tag.collectionName);
  await tags.dropIndex('cs_unique_name');
  const first = await create('tags', { name: 'Twice' });
  const second = await create('tags', { name: 'Once' });
  await tags.updateOne({ _id: second }, { $set: { name: 'Twice' } });
  const store = openStore(database.db, { timeout: 60_000, exclusive: true });
  expect(await store.prepare(registry)).toEqual([`cs_unique_name of tags: "Twice" in the entries ${first}, ${second}`]);
  expect((await put(`/api/tags/${second}`, { name: 'Once' })).status).toBe(200);
  expect(await store.prepare(registry)).toEqual([]);
});
