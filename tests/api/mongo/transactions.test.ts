import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { MongoClient, type Db } from 'mongodb';
import type { Change } from '../../../src/query/change.js';
import { TRANSACTIONS, type EntryKey, type StoredTransaction } from '../../../src/mongo/transactions/format.js';
import { Heartbeat } from '../../../src/mongo/transactions/heartbeat.js';
import type { Transaction } from '../../../src/mongo/transactions/transaction.js';
import { Transactions } from '../../../src/mongo/transactions/transactions.js';
import { createTransaction } from '../../../src/strapi/query-engine/transaction.js';
import type { StrapiContext } from '../../../src/strapi/strapi.js';
import { testUri } from '../../support/commands.js';

const key = { collection: 'as', id: 1 };
let client: MongoClient;
let db: Db;
beforeAll(async () => {
  client = await MongoClient.connect(testUri('maxPoolSize', '8'));
  db = client.db('long-transactions');
  await db.collection<{ _id: number }>('as').insertOne({ _id: 1 });
});
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

/** A process that is as patient as a busy machine needs, also with transactions of others. */
const process = (longest = 600_000, expiry = 600_000): Transactions =>
  new Transactions({ db, timeout: 60_000, expiry, longest, patience: 60_000 });
/** To it, every transaction that is not renewed any more is one of a dead process. */
const impatientProcess = (): Transactions => process(600_000, 1);

test('a transaction that is open for too long is aborted by whoever waits for it', async () => {
  const transaction = process(0).open();
  await transaction.lock([key]);
  const other = impatientProcess();
  const [found] = await other.run((own) => own.lock([key]));
  expect(found).toMatchObject({ _id: expect.anything() });
  expect(other.counts.recoveries).toBe(1);
  await expect(transaction.apply([{ ...key, kind: 'update', fields: new Map([['a', 1]]) }])).rejects.toThrow(
    /Other requests/,
  );
  await transaction.abort();
  expect(await db.collection('as').findOne()).toEqual({ _id: 1 });
});

test('code, and a dry run, whose transaction another process has aborted is told so, and not what it found then', async () => {
  const runtime = (() => ({ store: { transactions: process(0) } })) as unknown as StrapiContext['runtime'];
  const writing = createTransaction(runtime)(async ({ trx }) => {
    await (trx as Transaction).lock([key]);
    await impatientProcess().run((own) => own.lock([key]));
    throw new Error('there is no such entry');
  });
  await expect(writing).rejects.toThrow(/Other requests/);
  const trying = process(0).tryOut(async (transaction) => {
    await transaction.lock([key]);
    await impatientProcess().run((own) => own.lock([key]));
    throw new Error('there is no such entry');
  });
  await expect(trying).rejects.toThrow(/Other requests/);
});

test('a committed transaction that waits for a locked entry does not keep its own', async () => {
  const entries = db.collection<{ _id: number; target?: number }>('as');
  await entries.insertMany([{ _id: 2 }, { _id: 3, target: 2 }]);
  const transactions = process();
  const [target, holder] = [
    { collection: 'as', id: 2 },
    { collection: 'as', id: 3 },
  ];
  const other = transactions.open();
  await other.lock([holder]);
  const removal = transactions.open();
  await removal.lock([target]);
  const waiting = other.lock([target]);
  removal.remove(target.collection, [target.id]);
  removal.after([{ kind: 'update', collection: 'as', filter: { target: 2 }, update: { $unset: { target: '' } } }]);
  const removing = removal.commit();
  expect(await waiting).toEqual([undefined]);
  await other.commit();
  await removing;
  expect(await entries.find({}, { sort: { _id: 1 } }).toArray()).toEqual([{ _id: 1 }, { _id: 3 }]);
});

test('a deletion waits for who may restore a reference to its entry', async () => {
  const entries = db.collection<{ _id: number; target?: number }>('as');
  await entries.insertMany([{ _id: 8 }, { _id: 9, target: 8 }]);
  const [target, holder] = [
    { collection: 'as', id: 8 },
    { collection: 'as', id: 9 },
  ];
  const changing = process().open();
  await changing.lock([holder]);
  await changing.apply([{ ...holder, kind: 'update', fields: new Map([['target', undefined]]) }]);
  const removal = new Transactions({ db, timeout: 60_000, pause: () => changing.abort() }).open();
  await removal.lock([target]);
  removal.remove(target.collection, [target.id]);
  removal.after([{ kind: 'update', collection: 'as', filter: { target: 8 }, update: { $unset: { target: '' } } }]);
  await removal.commit();
  await changing.abort();
  expect(await entries.find({ _id: { $gt: 7 } }).toArray()).toEqual([{ _id: 9 }]);
  await entries.deleteOne({ _id: 9 });
});

test('two deletions do not wait for each other, although each has changed an entry that referred to that of the other', async () => {
  const entries = db.collection<{ _id: number; target?: number }>('as');
  await entries.insertMany([{ _id: 8 }, { _id: 9 }, { _id: 10, target: 8 }, { _id: 11, target: 9 }]);
  const transactions = process();
  const removeAndChange = async (removed: number, changed: number) => {
    const transaction = transactions.open();
    const [target, holder] = [removed, changed].map((id) => ({ collection: 'as', id })) as [EntryKey, EntryKey];
    await transaction.lock([target, holder]);
    await transaction.apply([{ ...holder, kind: 'update', fields: new Map([['target', undefined]]) }]);
    transaction.remove(target.collection, [removed]);
    const filter = { target: removed };
    transaction.after([{ kind: 'update', collection: 'as', filter, update: { $unset: { target: '' } } }]);
    return transaction;
  };
  const both = [await removeAndChange(8, 11), await removeAndChange(9, 10)];
  await Promise.all(both.map((transaction) => transaction.commit()));
  expect(await entries.find({ _id: { $gt: 7 } }, { sort: { _id: 1 } }).toArray()).toEqual([{ _id: 10 }, { _id: 11 }]);
  expect(await db.collection('_undo').countDocuments()).toBe(0);
  await entries.deleteMany({ _id: { $gt: 7 } });
});

test('a record that a crash of the database brings back is deleted by the sweep', async () => {
  const transactions = impatientProcess();
  const records = db.collection<StoredTransaction>(TRANSACTIONS);
  const [states, at] = [['committed', 'aborted'] as const, new Date(Date.now() - 5000)];
  await records.insertMany(states.map((state) => ({ _id: state, state, at })));
  await transactions.recover();
  const left = await records.find({ _id: { $in: [...states] } }).toArray();
  expect(left.map(({ _id }) => _id)).toEqual(['aborted']);
  await records.deleteOne({ _id: 'aborted' });
});

/** A database that does not answer the first commit of a transaction. */
function withoutAnswer(): Db {
  let answers = false;
  const unsure = Object.create(db) as Db;
  unsure.collection = ((name: string, options: object) => {
    const collection = db.collection(name, options);
    const updateOne = collection.updateOne.bind(collection);
    collection.updateOne = async (filter, update, ...others) => {
      const answer = await updateOne(filter, update, ...others);
      if (answers || !JSON.stringify(update).includes('"committed"')) return answer;
      answers = true;
      throw new Error('no answer');
    };
    return collection;
  }) as Db['collection'];
  return unsure;
}

test.each([
  ['a committed transaction', () => db, 'fulfilled'],
  ['a transaction whose commit had no answer', withoutAnswer, 'rejected'],
] as const)(
  '%s that waits for an entry of another process does not stop the writes of its own',
  async (_, open, outcome) => {
    const entries = db.collection<{ _id: number; target?: number }>('as');
    await entries.insertMany([{ _id: 4 }, { _id: 5, target: 4 }, { _id: 6 }]);
    const other = process().open();
    await other.lock([{ collection: 'as', id: 5 }]);
    const transactions = new Transactions({ db: open(), timeout: 60_000, patience: 100 });
    const removal = transactions.run(async (own) => {
      own.after([{ kind: 'update', collection: 'as', filter: { target: 4 }, update: { $unset: { target: '' } } }]);
    });
    const [{ status }] = await Promise.allSettled([removal]);
    expect(status).toBe(outcome);
    await transactions.run((own) => own.lock([{ collection: 'as', id: 6 }]));
    await other.commit();
    await transactions.recover(true);
    expect(await entries.findOne({ _id: 5 })).toEqual({ _id: 5 });
    await entries.deleteMany({ _id: { $in: [4, 5, 6] } });
  },
);

test('what the steps of a committed transaction changed is told, although a process that ran them died before it told it', async () => {
  const entries = db.collection<{ _id: number; target?: number }>('as');
  await entries.insertOne({ _id: 7, target: 8 });
  const change: Change = { type: 'api::a.a', id: 7, names: ['target'], links: {} };
  const told: Change[] = [];
  /** Another process meets the transaction just before its own one runs the steps. */
  const met = Object.create(db) as Db;
  met.collection = ((name: string, options: object) => {
    const collection = db.collection(name, options);
    const bulkWrite = collection.bulkWrite.bind(collection);
    collection.bulkWrite = async (...args) => {
      await expect(dying.hasEnded(transaction.id)).rejects.toThrow('dead');
      return bulkWrite(...args);
    };
    return collection;
  }) as Db['collection'];
  const dying = new Transactions({ db, timeout: 60_000, raise: () => Promise.reject(new Error('dead')) });
  const raise = async (changes: readonly Change[]): Promise<void> => void told.push(...changes);
  const transaction = new Transactions({ db: met, timeout: 60_000, raise }).open();
  transaction.after([
    { kind: 'update', collection: 'as', filter: { target: 8 }, update: { $unset: { target: '' } }, change },
  ]);
  await transaction.commit();
  expect(told).toContainEqual(change);
  expect(await entries.findOne({ _id: 7 })).toEqual({ _id: 7 });
  expect(await db.collection('_transactions').countDocuments({ state: 'committed' })).toBe(0);
});

test('a closed process does not follow the promises of its transactions any more', async () => {
  const transactions = process();
  await transactions.run(async (transaction) => {
    expect(transactions.current()).toBe(transaction);
    transactions.close();
    expect(transactions.current()).toBeUndefined();
  });
});

test('what runs in a transaction is tracked only while one is open, as that slows down every read', async () => {
  const disable = jest.spyOn(AsyncLocalStorage.prototype, 'disable');
  try {
    const transactions = process();
    await transactions.run(async (transaction) => {
      const other = transactions.open();
      await other.lock([{ ...key, id: 4 }]);
      await other.commit();
      expect(disable).not.toHaveBeenCalled();
      expect(transactions.current()).toBe(transaction);
    });
    expect(disable).toHaveBeenCalledTimes(1);
    await expect(transactions.run(() => Promise.reject(new Error('undone')))).rejects.toThrow('undone');
    expect(disable).toHaveBeenCalledTimes(2);
    const finish = jest.spyOn(Heartbeat.prototype, 'finishInterrupted').mockRejectedValueOnce(new Error('no database'));
    await expect(transactions.run(() => Promise.resolve())).rejects.toThrow('no database');
    finish.mockRestore();
    expect(disable).toHaveBeenCalledTimes(3);
    await transactions.run((transaction) => Promise.resolve(expect(transactions.current()).toBe(transaction)));
    transactions.close();
  } finally {
    disable.mockRestore();
  }
});
