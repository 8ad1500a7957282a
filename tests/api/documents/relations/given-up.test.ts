import { describe, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { emptyQuery } from '../../../../src/documents/context.js';
import { AppError } from '../../../../src/errors/app-error.js';
import { openCounters } from '../../../../src/mongo/write/counters.js';
import { openStore } from '../../../../src/mongo/store.js';
import { insertedDocument } from '../../../../src/mongo/compile/write/write.js';
import type { Query } from '../../../../src/query/ast.js';
import type { Changes, Write } from '../../../../src/query/mutation.js';
import { cutOff } from '../../../support/cut-off.js';
import { useService } from '../../../support/service.js';
import { writeByHand } from './write-by-hand.js';

const client = useService();
const { create, put, get, delete: remove } = client;
const { typeOf } = writeByHand(client);

const noChange = { merges: new Map(), links: [], references: nothing(), uniqueKeys: nothing() };
function nothing() {
  return { paths: [], remove: [], add: [] };
}

/** A new tag that articles hold: two writes. */
async function newTag(article: number): Promise<{ readonly id: number; readonly writes: readonly [Write, Write] }> {
  const type = typeOf('tag');
  const { id, rank } = await openCounters(client.service.database.db).reserve(type.uid, { ids: 1, ranks: 1 });
  const changes: Changes = { values: new Map([['updatedAt', new Date()]]), ...noChange };
  const attribute = typeOf('article').attributes.get('tags');
  if (attribute?.kind !== 'relation') throw new Error('tags is no relation');
  const link = { kind: 'link', type: typeOf('article'), attribute, owners: [article], ranks: [rank] } as const;
  return {
    id,
    writes: [
      { kind: 'insert', type, id, changes },
      { ...link, target: id, reserved: rank },
    ],
  };
}

const deletion = (tag: number): readonly Write[] => {
  const [type, holder] = [typeOf('tag'), typeOf('article')];
  const attribute = holder.attributes.get('tags');
  if (attribute?.kind !== 'relation') throw new Error('tags is no relation');
  return [
    { kind: 'remove', type, id: tag },
    { kind: 'unlink', type: holder, attribute, targets: [tag], owners: { except: [] } },
  ];
};

const stored = (collection: string, id: number): Promise<Document | null> =>
  client.service.database.db.collection<{ _id: number }>(collection).findOne({ _id: id });

describe.each([
  ['a database of its own', true],
  ['a database that others use', false],
])('a write that failed with an error, on %s,', (_, exclusive) => {
  const storeOn = (db = client.service.database.db) => openStore(db, { timeout: 5000, exclusive });
  const somethingElse = async (store: ReturnType<typeof storeOn>): Promise<void> => {
    await store.apply((await newTag(await create('articles', { title: 'Else' }))).writes.slice(0, 1));
  };

  test('is not inserted again after a delete if the reply to the insert was lost', async () => {
    const article = await create('articles', { title: 'Holder' });
    const { id, writes } = await newTag(article);
    const store = storeOn(cutOff(client.service.database.db, 'after', 'insertMany', 'tags'));
    await expect(store.apply(writes)).rejects.toMatchObject({ code: 'unavailable' });
    expect((await remove(`/api/tags/${id}`)).status).toBe(200);
    await somethingElse(store);
    await store.sweep(client.service.registry, 0);
    expect(await stored('tags', id)).toBeNull();
    expect(await stored('articles', article)).not.toHaveProperty('tags');
  });

  test('is not inserted again after a delete if only the read of the response failed', async () => {
    const article = await create('articles', { title: 'Holder' });
    const { id, writes } = await newTag(article);
    const store = storeOn();
    const [first, ...deferred] = writes;
    const response: Query = {
      ...emptyQuery(typeOf('tag')),
      get filter(): never {
        throw new AppError('outOfTime');
      },
    };
    const applied = store.apply([first], { deferred, response });
    await expect(applied).rejects.toMatchObject({ code: 'outOfTime' });
    // The rest was done: the error means that the outcome is unknown, not that nothing was written.
    expect(await stored('articles', article)).toHaveProperty('tags', [id]);
    expect((await remove(`/api/tags/${id}`)).status).toBe(200);
    await somethingElse(store);
    expect((await get(`/api/tags/${id}`)).status).toBe(404);
  });

  test('does not delete an entry written since if its delete was never sent', async () => {
    const tag = await create('tags', { name: `Kept ${exclusive}` });
    const article = await create('articles', { title: 'Holder', tags: [tag] });
    const store = storeOn(cutOff(client.service.database.db, 'before', 'deleteOne', 'tags'));
    await expect(store.apply(deletion(tag))).rejects.toMatchObject({ code: 'unavailable' });
    expect((await put(`/api/tags/${tag}`, { name: `Written ${exclusive}` })).status).toBe(200);
    // Another process releases it; then this one writes again.
    await storeOn().sweep(client.service.registry, 0);
    await somethingElse(store);
    expect((await get(`/api/tags/${tag}`)).body.data.attributes.name).toBe(`Written ${exclusive}`);
    expect(await stored('articles', article)).toHaveProperty('tags', [tag]);
  });

  test('is completed if its primary write arrives after recovery looked for it', async () => {
    const article = await create('articles', { title: 'Holder' });
    const { id, writes } = await newTag(article);
    const { db } = client.service.database;
    const store = storeOn(cutOff(db, 'before', 'insertMany', 'tags'));
    await expect(store.apply(writes)).rejects.toMatchObject({ code: 'unavailable' });
    await somethingElse(store);
    expect(await db.collection('_intents').countDocuments({ looked: true })).toBe(1);
    // The command was on its way all the time.
    const [first] = writes;
    if (first.kind !== 'insert') throw new Error('A tag is inserted');
    await db.collection<{ _id: number }>('tags').insertOne({ ...insertedDocument(id, first.changes), _id: id });
    await store.sweep(client.service.registry, 0);
    expect(await stored('articles', article)).toHaveProperty('tags', [id]);
  });
});
