import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient, type Db } from 'mongodb';
import { openTransactions, type Transactions } from '../../../src/mongo/transactions/transactions.js';
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

const process = (longest: number): Transactions =>
  openTransactions({ db, timeout: 15_000, expiry: 2000, longest, patience: 4000 });

test('a transaction that is open for too long is aborted by whoever waits for it', async () => {
  const transaction = process(0).open();
  await transaction.lock([key]);
  const other = process(600_000);
  const [found] = await other.run((own) => own.lock([key]));
  expect(found).toMatchObject({ _id: expect.anything() });
  expect(other.counts.recoveries).toBe(1);
  await expect(transaction.apply([{ ...key, kind: 'update', fields: new Map([['a', 1]]) }])).rejects.toThrow(
    /Other requests/,
  );
  await transaction.abort();
  expect(await db.collection('as').findOne()).toEqual({ _id: 1 });
});
