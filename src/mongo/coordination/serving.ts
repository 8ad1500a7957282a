import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { translated } from '../errors.js';
import { systemCommandOptions } from '../read/time-limits.js';

interface Serving {
  readonly _id: string;
  readonly at: Date;
}

const PREFIX = 'serving ';
/** Milliseconds between two heartbeats of a process, and until a killed process is no longer counted. */
const [RENEWAL, DEAD] = [15_000, 60_000];

/**
 * Announces in `_claims` that this process serves the database. Returns a function that withdraws it.
 * @throws AppError unavailable
 */
export async function announceServing(db: Db): Promise<() => Promise<void>> {
  const claims = db.collection<Serving>('_claims');
  const _id = `${PREFIX}${randomUUID()}`;
  await translated(() => claims.insertOne({ _id, at: new Date() }, systemCommandOptions));
  const renewing = setInterval(() => {
    claims.updateOne({ _id }, { $set: { at: new Date() } }, systemCommandOptions).catch(() => undefined);
  }, RENEWAL).unref();
  return async () => {
    clearInterval(renewing);
    // If this fails the process counts for another minute.
    await claims.deleteOne({ _id }, systemCommandOptions).catch(() => undefined);
  };
}

/** Counts the processes that serve the database. @throws AppError unavailable */
export const countServing = (db: Db): Promise<number> =>
  translated(() =>
    db
      .collection<Serving>('_claims')
      .countDocuments(
        { _id: { $gte: PREFIX, $lt: `${PREFIX}~` }, at: { $gt: new Date(Date.now() - DEAD) } },
        systemCommandOptions,
      ),
  );
