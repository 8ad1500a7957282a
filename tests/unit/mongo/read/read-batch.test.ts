import { expect, jest, test } from '@jest/globals';
import { MongoNetworkError, MongoServerSelectionError, type Db } from 'mongodb';
import { readBatch } from '../../../../src/mongo/read/read-batch.js';

test('a read that is lost is sent once more, and refused as unavailable if no server is found then', async () => {
  const noServer = new MongoServerSelectionError('no server', {} as never);
  const command = jest
    .fn<() => Promise<never>>()
    .mockRejectedValueOnce(new MongoNetworkError('connection lost'))
    .mockRejectedValueOnce(noServer);
  const db = { command } as unknown as Db;
  await expect(readBatch(db, { find: 'articles' }, 1000)).rejects.toMatchObject({ code: 'unavailable' });
  expect(command).toHaveBeenCalledTimes(2);
});
