import { expect, jest, test } from '@jest/globals';
import { MongoServerSelectionError, type MongoClient } from 'mongodb';
import { connectUntil } from '../../../../src/mongo/connection/connect.js';

const client = {} as MongoClient;
const notFound = new MongoServerSelectionError('no reply yet', {} as never);

test('a database whose first replies take long is waited for', async () => {
  const connect = jest.fn<() => Promise<MongoClient>>().mockRejectedValueOnce(notFound).mockResolvedValue(client);
  expect(await connectUntil(Date.now() + 60_000, connect)).toBe(client);
  expect(connect).toHaveBeenCalledTimes(2);
});

test.each([
  ['after the deadline', 0, notFound],
  ['if the database refuses the connection', Date.now() + 60_000, new Error('refused')],
])('%s the error is final', async (_, deadline, error) => {
  const connect = jest.fn<() => Promise<MongoClient>>().mockRejectedValue(error);
  await expect(connectUntil(deadline, connect)).rejects.toBe(error);
  expect(connect).toHaveBeenCalledTimes(1);
});
