import { expect, test } from '@jest/globals';
import { MongoBulkWriteError, MongoNetworkError, type Db } from 'mongodb';
import { refusedInBulk } from '../../../../src/mongo/errors.js';
import { createInsertBatcher } from '../../../../src/mongo/write/insert-batcher.js';

type Given = ConstructorParameters<typeof MongoBulkWriteError>[0];
const twice = { index: 1, code: 11_000, errmsg: 'twice' };

/** The driver's error for a bulk. */
const failed = (error: unknown, concern?: object): MongoBulkWriteError =>
  new MongoBulkWriteError(
    error as Given,
    {
      getWriteErrors: () => [twice],
      getWriteConcernError: () => concern,
    } as never,
  );

test('other writes of a bulk with a refused one are acknowledged', () => {
  const { refused, confirmed } = refusedInBulk(failed({ message: 'twice', code: 11_000, writeErrors: [twice] }));
  expect({ refused: [...refused.keys()], confirmed }).toEqual({ refused: [1], confirmed: true });
});

test.each([
  ['the majority has not confirmed them', failed({ message: 'twice', writeErrors: [twice] }, { code: 91 })],
  ['the driver reports only the write concern', failed({ message: 'stepped down', code: 91 }, { code: 91 })],
  ['the connection was lost after that', failed(new MongoNetworkError('cut off'))],
])('other writes of a bulk are not acknowledged if %s', (_, error) => {
  const { refused, confirmed } = refusedInBulk(error);
  expect({ refused: [...refused.keys()], confirmed }).toEqual({ refused: [1], confirmed: false });
});

test('an error without write errors is passed on', () => {
  const lost = new MongoNetworkError('cut off');
  expect(() => refusedInBulk(lost)).toThrow(lost);
});

test('entries that share a command are each reported as stored, refused or unknown', async () => {
  const alone: number[] = [];
  const collection = {
    insertMany: () => Promise.reject(failed({ message: 'twice', writeErrors: [twice] }, { code: 91 })),
    insertOne: ({ _id }: { _id: number }) => {
      alone.push(_id);
      return Promise.reject(new Error('twice'));
    },
  };
  const insert = createInsertBatcher({ collection: () => collection } as unknown as Db, 5000);
  const outcomes = await Promise.allSettled([10, 11, 12].map((_id) => insert('tags', { _id })));
  expect(outcomes.map((outcome) => outcome.status === 'rejected' && String(outcome.reason.message))).toEqual([
    'The database does not answer, try again in a few seconds',
    'twice',
    'The database does not answer, try again in a few seconds',
  ]);
  expect(alone).toEqual([11]);
});
