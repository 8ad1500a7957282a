import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { systemCommandOptions } from '../read/time-limits.js';
import { duplicateOf, translated } from '../errors.js';
import type { Database } from '../connection/database.js';

interface Claim {
  readonly _id: string;
  readonly at: Date;
  readonly text?: string;
  readonly expiresAt?: Date;
}

/** Milliseconds after which a claim expires. */
const KEPT = 86_400_000;

/** Claims in the `_claims` collection. There are few, so expired ones are deleted with every new one. */
export function openLocks(db: Db) {
  const collection = db.collection<Claim>('_claims');
  return {
    /** True for the first caller with this key, false for all others; for at least a day. */
    claim: (key: string): Promise<boolean> =>
      translated(async () => {
        try {
          await collection.insertOne({ _id: key, at: new Date() }, systemCommandOptions);
        } catch (error) {
          if (duplicateOf(error) !== undefined) return false;
          throw error;
        }
        await collection.deleteMany({ at: { $lt: new Date(Date.now() - KEPT) } }, systemCommandOptions);
        return true;
      }),
    /** Releases the key after a failure. */
    release: (key: string): Promise<void> =>
      translated(async () => {
        await collection.deleteOne({ _id: key }, systemCommandOptions);
      }),
    /** Runs a task while holding the lock of the key; see `holdLock`. */
    hold: <T>(key: string, work: () => Promise<T>): Promise<T> => holdLock(db, key, work),
    /** Stores a string under a key, which can be taken once before it expires. */
    put: (key: string, text: string, lifetime: number): Promise<void> =>
      translated(async () => {
        const at = new Date();
        const expiresAt = new Date(at.getTime() + lifetime);
        await collection.insertOne({ _id: key, at, text, expiresAt }, systemCommandOptions);
        await collection.deleteMany({ expiresAt: { $lt: at } }, systemCommandOptions);
      }),
    /** Takes the stored string; undefined if it was taken or has expired. */
    take: (key: string): Promise<string | undefined> =>
      translated(async () => {
        const filter = { _id: key, expiresAt: { $gt: new Date() } };
        return (await collection.findOneAndDelete(filter, systemCommandOptions))?.text;
      }),
  };
}

/** Locks and one-time actions across processes. */
export type Locks = ReturnType<typeof openLocks>;

/** The right of one process to a key of `_claims`, as long as it renews it. */
interface HeldClaim {
  readonly _id: string;
  /** The holder. */
  readonly by: string;
  /** Its last renewal, by the clock of the database: those of two processes may differ. */
  readonly at: Date;
}

/**
 * Takes or renews a claim; false: another process has it, and renewed it in the last `expiry` milliseconds.
 */
async function takeClaim(db: Db, key: string, by: string, expiry: number): Promise<boolean> {
  const isExpired = { $lte: [{ $ifNull: ['$at', new Date(0)] }, { $subtract: ['$$NOW', expiry] }] };
  const isFree = { $or: [{ $eq: ['$by', by] }, isExpired] };
  const update = [{ $set: { by: { $cond: [isFree, by, '$by'] }, at: { $cond: [isFree, '$$NOW', '$at'] } } }];
  const options = { ...systemCommandOptions, upsert: true, returnDocument: 'after' } as const;
  try {
    const claim = await db.collection<HeldClaim>('_claims').findOneAndUpdate({ _id: key }, update, options);
    return claim?.by === by;
  } catch (error) {
    // Another process has just taken it for the first time.
    if (duplicateOf(error) !== undefined) return false;
    throw error;
  }
}

/**
 * Milliseconds without a renewal of a lease after which another process may acquire it, and after which the holder
 * stops.
 */
const [EXPIRY_MS, STOP_MS] = [30_000, 20_000];

/**
 * A lease in the `_claims` collection.
 * @param exclusive no other process uses the database: the former holder of the lease is dead
 */
export function openLease(db: Db, key: string, exclusive: boolean) {
  const expiry = exclusive ? 0 : EXPIRY_MS;
  const by = randomUUID();
  let renewed = -Infinity;
  return {
    /** Acquires or renews the lease; false: another process has it. Call it at least every 5 seconds. */
    acquire: (): Promise<boolean> =>
      translated(async () => {
        const started = performance.now();
        const isTaken = await takeClaim(db, key, by, expiry);
        renewed = isTaken ? started : -Infinity;
        return isTaken;
      }),
    /** Whether the last renewal is so recent that no other process can have the lease. */
    isHeld: (): boolean => performance.now() - renewed < STOP_MS,
    /** Releases the lease, so that another process can acquire it immediately. */
    release: (): Promise<void> =>
      translated(async () => {
        renewed = -Infinity;
        await db.collection<HeldClaim>('_claims').deleteOne({ _id: key, by }, systemCommandOptions);
      }),
  };
}

/** The exclusive right of one process to run a continuous job. */
export type Lease = ReturnType<typeof openLease>;

/** Milliseconds: a holder renews its lock with heartbeats; without one for this time it is considered dead. */
const defaults = { interval: 5000, dead: 30_000, pause: 50 };

/**
 * Runs a task of any duration while holding the lock of a key in `_claims`. Waits for the current holder.
 * @throws AppError unavailable, and the error of the task
 */
export async function holdLock<T>(
  db: Db,
  key: string,
  work: () => Promise<T>,
  { interval, dead, pause } = defaults,
): Promise<T> {
  const claims = db.collection<HeldClaim>('_claims');
  const ownLock = { _id: key, by: randomUUID() };
  while (!(await translated(() => takeClaim(db, key, ownLock.by, dead)))) await wait(pause);
  const renewing = setInterval(() => {
    claims.updateOne(ownLock, [{ $set: { at: '$$NOW' } }], systemCommandOptions).catch(() => undefined);
  }, interval);
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    // Deletes only its own lock: if it was considered dead, another one holds the key.
    await translated(() => claims.deleteOne(ownLock, systemCommandOptions));
  }
}

/**
 * Runs the writes of a start under a lock: several processes can start concurrently on an empty database.
 * @throws AppError unavailable, and the error of the task
 */
export const withStartupLock = <T>({ db, exclusive }: Database, work: () => Promise<T>): Promise<T> =>
  exclusive ? work() : holdLock(db, 'start', work);
