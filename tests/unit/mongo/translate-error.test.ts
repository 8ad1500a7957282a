import { describe, expect, test } from '@jest/globals';
import { MongoBulkWriteError, MongoNetworkError, MongoServerError } from 'mongodb';
import { isRefusal, translateError } from '../../../src/mongo/errors.js';

type Given = ConstructorParameters<typeof MongoBulkWriteError>[0];
const inBulk = (error: unknown): MongoBulkWriteError =>
  new MongoBulkWriteError(error as Given, { getWriteErrors: () => [] } as never);

describe('of writes in bulk', () => {
  test('a lost connection is no refusal: the writes may have been done', () => {
    const lost = inBulk(new MongoNetworkError('cut off'));
    expect(translateError(lost)).toMatchObject({ code: 'unavailable' });
    expect(isRefusal(lost)).toBe(false);
  });

  test('what the server says of all of them counts as if it were one', () => {
    const late = inBulk(new MongoServerError({ message: 'late', code: 50 }));
    expect(translateError(late)).toMatchObject({ code: 'outOfTime' });
    const refused = inBulk(new MongoServerError({ message: 'not allowed', code: 13, ok: 0 }));
    expect([translateError(refused), isRefusal(refused)]).toEqual([refused, true]);
  });

  test('a value that is there already is a refusal; a majority that has not confirmed is none', () => {
    expect(isRefusal(inBulk({ message: 'twice', code: 11_000, writeErrors: [{ index: 0 }] }))).toBe(true);
    expect(isRefusal(inBulk({ message: 'waiting for replication timed out', code: 64 }))).toBe(false);
  });
});
