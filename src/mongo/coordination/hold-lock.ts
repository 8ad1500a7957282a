import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { duplicateOf, translated } from '../errors.js';
import { systemCommandOptions } from '../read/system-command-options.js';

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
