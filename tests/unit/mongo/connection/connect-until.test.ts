import { expect, jest, test } from '@jest/globals';
import { MongoServerSelectionError, type MongoClient, type TopologyDescription } from 'mongodb';
import { connectUntil, type Deadlines } from '../../../../src/mongo/connection/connect.js';

const client = {} as MongoClient;
const failure = (error: Error | null): Error =>
  new MongoServerSelectionError('not found', { error } as TopologyDescription);
const silence = failure(null);
const refusal = failure(new Error('connect ECONNREFUSED'));
const [passed, future] = [0, Number.POSITIVE_INFINITY];

test.each([
  ['is silent', silence, { refused: passed, silent: future }],
  ['refuses connections', refusal, { refused: future, silent: future }],
])('a database that %s at first is waited for', async (_, error, deadlines) => {
  const connect = jest.fn<() => Promise<MongoClient>>().mockRejectedValueOnce(error).mockResolvedValue(client);
  expect(await connectUntil(deadlines, connect)).toBe(client);
  expect(connect).toHaveBeenCalledTimes(2);
});

test.each<[string, Error, Deadlines]>([
  ['the database is silent until its deadline', silence, { refused: passed, silent: passed }],
  ['the database refuses connections until its deadline', refusal, { refused: passed, silent: future }],
  ['anything else fails', new Error('wrong password'), { refused: future, silent: future }],
])('the error is final if %s', async (_, error, deadlines) => {
  const connect = jest.fn<() => Promise<MongoClient>>().mockRejectedValue(error);
  await expect(connectUntil(deadlines, connect)).rejects.toBe(error);
  expect(connect).toHaveBeenCalledTimes(1);
});
