import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { systemCommandOptions } from '../read/time-limits.js';
import { duplicateOf, translated } from '../errors.js';
import type { Database } from '../connection/database.js';

/** Things that may happen only once, whichever process does them. */
export interface Locks {
  /** True for the first that asks for this key, false for all others; for at least a day. */
  claim(key: string): Promise<boolean>;
  /** Lets another have it: what was to be done failed. */
  release(key: string): Promise<void>;
  /** Does work while no other process holds the key; see `holdLock`. */
  hold<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Keeps a string under a key, for the first that takes it before it expires. */
  put(key: string, text: string, lifetime: number): Promise<void>;
  /** The text that is kept, for the first that asks; undefined once it was taken or has expired. */
  take(key: string): Promise<string | undefined>;
}

interface Claim {
  readonly _id: string;
  readonly at: Date;
  readonly text?: string;
  readonly expiresAt?: Date;
}

/** Milliseconds after which a claim is forgotten. */
const KEPT = 86_400_000;

/** Claims in the `_claims` collection. They are few, so those that are old are looked for with every new one. */
export function openLocks(db: Db): Locks {
  const collection = db.collection<Claim>('_claims');
  return {
    claim: (key) =>
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
    release: (key) =>
      translated(async () => {
        await collection.deleteOne({ _id: key }, systemCommandOptions);
      }),
    hold: (key, work) => holdLock(db, key, work),
    put: (key, text, lifetime) =>
      translated(async () => {
        const at = new Date();
        const expiresAt = new Date(at.getTime() + lifetime);
        await collection.insertOne({ _id: key, at, text, expiresAt }, systemCommandOptions);
        await collection.deleteMany({ expiresAt: { $lt: at } }, systemCommandOptions);
      }),
    take: (key) =>
      translated(async () => {
        const filter = { _id: key, expiresAt: { $gt: new Date() } };
        return (await collection.findOneAndDelete(filter, systemCommandOptions))?.text;
      }),
  };
}

interface Held {
  readonly _id: string;
  /** The holder. */
  readonly by?: string;
  /** Its last sign of life. */
  readonly at: Date;
}

/** Milliseconds: a holder says again and again that it lives; one that has not for so long has died. */
const defaults = { renewal: 5000, dead: 30_000, pause: 50 };

/**
 * Does work while no other process holds the same key of `_claims`, however long the work takes. Waits for the process that holds it.
 * @throws AppError unavailable, and what the work throws
 */
export async function holdLock<T>(
  db: Db,
  key: string,
  work: () => Promise<T>,
  { renewal, dead, pause } = defaults,
): Promise<T> {
  const claims = db.collection<Held>('_claims');
  const ownLock = { _id: key, by: randomUUID() };
  const acquire = async (): Promise<boolean> => {
    try {
      await claims.insertOne({ ...ownLock, at: new Date() }, systemCommandOptions);
      return true;
    } catch (error) {
      if (duplicateOf(error) === undefined) throw error;
      await claims.deleteOne({ _id: key, at: { $lt: new Date(Date.now() - dead) } }, systemCommandOptions);
      return false;
    }
  };
  while (!(await translated(acquire))) await wait(pause);
  const renewing = setInterval(() => {
    claims.updateOne(ownLock, { $set: { at: new Date() } }, systemCommandOptions).catch(() => undefined);
  }, renewal);
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    // Its own alone: where it was taken for dead, another one holds the key.
    await translated(() => claims.deleteOne(ownLock, systemCommandOptions));
  }
}

/**
 * Does what a start puts into the database while no other process does so: several may start at once on an empty one.
 * @throws AppError unavailable, and what the work throws
 */
export const withStartupLock = <T>({ db, exclusive }: Database, work: () => Promise<T>): Promise<T> =>
  exclusive ? work() : holdLock(db, 'start', work);
