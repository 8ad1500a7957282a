import { afterEach, expect, jest, test } from '@jest/globals';
import type { Db } from 'mongodb';
import { openIntents } from '../../../../src/mongo/write/intents.js';
import { openStore } from '../../../../src/mongo/store.js';
import { useService } from '../../../support/service.js';
import { workAfter } from '../../../support/cut-off.js';
import { createMany, related } from './related.js';
import { set, writeByHand } from './write-by-hand.js';

const client = useService();
const { fromOther } = writeByHand(client);

interface Stored {
  readonly _id: string;
  readonly at: Date;
}
/** A database that no service looks after: it would take over what is left there. */
const apart = (): Db => client.service.database.client.db(`${client.service.database.db.databaseName}_apart`);
const stored = (db = apart()) => db.collection<Stored>('_intents');
const longAgo = new Date('2024-01-01');

afterEach(async () => {
  jest.restoreAllMocks();
  await apart().dropDatabase();
});

test('a process renews its lease on an intent until it is completed', async () => {
  const db = apart();
  const intents = openIntents(db, 5);
  const found = async (): Promise<readonly string[]> =>
    (await openIntents(db).left(client.service.registry, 60_000)).map(({ id }) => id);
  await intents.record({ id: 'lives', writes: [] });
  await openIntents(db).record({ id: 'died', writes: [] });
  await stored().updateMany({}, { $set: { at: longAgo } });
  while ((await stored().findOne({ _id: 'lives' }))?.at.getTime() === longAgo.getTime());
  expect(await found()).toEqual(['died']);
  await intents.remove('lives');
  expect(await stored().countDocuments()).toBe(1);
});

test('one of several processes that find an intent takes it', async () => {
  const db = apart();
  await openIntents(db).record({ id: 'left', writes: [] });
  await stored().updateMany({}, { $set: { at: longAgo } });
  const processes = Array.from({ length: 8 }, () => openIntents(db));
  const found = await Promise.all(processes.map(async (one) => one.left(client.service.registry, 60_000)));
  const taken = await Promise.all(found.map(async ([left], index) => left && processes[index]?.take(left)));
  expect(taken.filter((one) => one === true)).toHaveLength(1);
  const taker = processes[taken.indexOf(true)];
  expect(await taker?.keep('left')).toBe(true);
});

test('a writer whose intent was taken over by another process stops writing', async () => {
  const { database, registry } = client.service;
  const [first = 0, second = 0] = await createMany(client, 'articles', 2, () => ({ title: 'Taken' }));
  const author = await client.create('authors', { name: 'Ada' });
  const [update, ...steps] = await fromOther('author', author, 'articles', set(first));
  const meanwhile = async (): Promise<void> => {
    await openStore(database.db, { timeout: 5000, exclusive: false }).sweep(registry, 0);
    expect(await related(client, `/api/authors/${author}`, 'articles')).toEqual([first]);
    await client.put(`/api/authors/${author}`, { articles: [second] });
    const now = Date.now();
    jest.spyOn(Date, 'now').mockImplementation(() => now + 600_000);
  };
  const paused = workAfter(database.db, 'updateOne', 'authors', meanwhile);
  const store = openStore(paused, { timeout: 5000, exclusive: false });
  await expect(store.apply([update, ...steps])).rejects.toMatchObject({ code: 'unavailable' });
  expect(await related(client, `/api/authors/${author}`, 'articles')).toEqual([second]);
  // Nor later.
  await store.sweep(registry, 0);
  expect(await related(client, `/api/authors/${author}`, 'articles')).toEqual([second]);
  expect(await stored(database.db).countDocuments()).toBe(0);
});
