import { describe, expect, test } from '@jest/globals';
import { MongoBulkWriteError, MongoNetworkError, MongoServerClosedError, MongoServerError } from 'mongodb';
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

describe('an error of a command', () => {
  // RETRYABLE_READ_ERROR_CODES of the driver, and what routers and limits of requests add.
  test.each([6, 7, 89, 91, 133, 134, 175, 189, 202, 462, 9001, 10_107, 11_600, 11_602, 13_435, 13_436])(
    '%i says that the database cannot do it now, which is no refusal',
    (code) => {
      const error = new MongoServerError({ message: 'not now', code });
      expect(translateError(error)).toMatchObject({ code: 'unavailable' });
      expect(isRefusal(error)).toBe(false);
    },
  );

  test.each([50, 262, 11_601])('%i says that it took too long', (code) => {
    expect(translateError(new MongoServerError({ message: 'late', code }))).toMatchObject({ code: 'outOfTime' });
  });

  test('of a server that the driver has just left is one of the connection', () => {
    expect(translateError(new MongoServerClosedError())).toMatchObject({ code: 'unavailable' });
  });
});
