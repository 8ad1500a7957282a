import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { MongoClient, type Collection } from 'mongodb';
import { holdLock, openLease } from '../../../../src/mongo/coordination/locks.js';

interface Held {
  readonly _id: string;
  readonly by?: string;
  readonly at: Date;
}

const client = new MongoClient(process.env['TEST_MONGODB_URI'] ?? '');
const db = client.db(`locks_${process.pid}`);
const claims: Collection<Held> = db.collection<Held>('_claims');
const times = { interval: 5, dead: 30_000, pause: 5 };

beforeAll(() => client.connect());
beforeEach(() => claims.deleteMany({}));
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

test('only one of many contenders holds a lock at a time', async () => {
  let inside = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    most = Math.max(most, (inside += 1));
    await claims.findOne({});
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 8 }, () => holdLock(db, 'one', work, times)));
  expect(most).toBe(1);
  expect(await claims.countDocuments()).toBe(0);
});

test('a holder renews its lock as long as it works', async () => {
  const work = async (): Promise<void> => {
    const first = (await claims.findOne({ _id: 'long' }))?.at.getTime() ?? 0;
    for (let at = first; at <= first;) at = (await claims.findOne({ _id: 'long' }))?.at.getTime() ?? first;
  };
  await holdLock(db, 'long', work, times);
  expect(await claims.countDocuments()).toBe(0);
});

test('the lock of a crashed process expires', async () => {
  await claims.insertOne({ _id: 'dead', by: 'somebody', at: new Date(Date.now() - 60_000) });
  expect(await holdLock(db, 'dead', () => Promise.resolve('done'), times)).toBe('done');
});

test('a holder whose lock expired does not release the lock of the next holder', async () => {
  await holdLock(db, 'taken', () => claims.updateOne({ _id: 'taken' }, { $set: { by: 'another' } }), {
    ...times,
    interval: 60_000,
  });
  expect(await claims.findOne({ _id: 'taken' })).toMatchObject({ by: 'another' });
});

describe('a process whose clock is an hour ahead', () => {
  /** Only dates are false: timers go on. */
  const timers = ['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const; // prettier-ignore
  const setClockAhead = (): unknown => jest.useFakeTimers({ now: Date.now() + 3_600_000, doNotFake: [...timers] });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('waits for the lock of another', async () => {
    const entered: string[] = [];
    let other = Promise.resolve();
    await holdLock(
      db,
      'ahead',
      async () => {
        setClockAhead();
        other = holdLock(db, 'ahead', async () => void entered.push('other'), times);
        for (let look = 0; look < 20; look += 1) await claims.findOne({});
        entered.push('first');
      },
      { ...times, interval: 60_000 },
    );
    await other;
    expect(entered).toEqual(['first', 'other']);
  });

  test('does not acquire the lease of another', async () => {
    const [first, other] = [openLease(db, 'ahead', false), openLease(db, 'ahead', false)];
    expect(await first.acquire()).toBe(true);
    setClockAhead();
    expect(await other.acquire()).toBe(false);
    expect(await first.acquire()).toBe(true);
  });
});

test('work that fails frees the lock', async () => {
  await expect(holdLock(db, 'fails', () => Promise.reject(new Error('no')), times)).rejects.toThrow('no');
  expect(await claims.countDocuments()).toBe(0);
});

test('a process that has the database to itself acquires the lease of a killed one at once', async () => {
  const [killed, next, alone] = [false, false, true].map((exclusive) => openLease(db, 'job', exclusive));
  expect([await killed?.acquire(), await next?.acquire(), await alone?.acquire()]).toEqual([true, false, true]);
  expect(await killed?.acquire()).toBe(false);
});

test('a process that renewed its lease too long ago does not hold it any more', async () => {
  const lease = openLease(db, 'stuck', false);
  await lease.acquire();
  expect(lease.isHeld()).toBe(true);
  // Others may acquire it 30 seconds after its last renewal.
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 25_000);
  expect(lease.isHeld()).toBe(false);
  clock.mockRestore();
});
