import { describe, expect, test } from '@jest/globals';
import { MongoBulkWriteError, MongoNetworkError, MongoServerError } from 'mongodb';
import { isRefusal, translateError } from '../../../src/mongo/errors.js';

type Given = ConstructorParameters<typeof MongoBulkWriteError>[0];
const inBulk = (error: unknown): MongoBulkWriteError =>
  new MongoBulkWriteError(error as Given, { getWriteErrors: () => [] } as never);

describe('an error of a bulk write', () => {
  test('by a lost connection is not a refusal: the writes may have been applied', () => {
    const lost = inBulk(new MongoNetworkError('cut off'));
    expect(translateError(lost)).toMatchObject({ code: 'unavailable' });
    expect(isRefusal(lost)).toBe(false);
  });

  test('for the complete command is treated like one of a single write', () => {
    const late = inBulk(new MongoServerError({ message: 'late', code: 50 }));
    expect(translateError(late)).toMatchObject({ code: 'outOfTime' });
    const refused = inBulk(new MongoServerError({ message: 'not allowed', code: 13, ok: 0 }));
    expect([translateError(refused), isRefusal(refused)]).toEqual([refused, true]);
  });

  test('by a duplicate value is a refusal; by a missing majority it is not', () => {
    expect(isRefusal(inBulk({ message: 'twice', code: 11_000, writeErrors: [{ index: 0 }] }))).toBe(true);
    expect(isRefusal(inBulk({ message: 'waiting for replication timed out', code: 64 }))).toBe(false);
  });
});
