import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { translated } from '../errors.js';
import { systemCommandOptions } from '../read/time-limits.js';
import { repeat } from './repeat.js';

interface Serving {
  readonly _id: string;
  /** The last heartbeat, by the clock of the database. */
  readonly at: Date;
}

const PREFIX = 'serving ';
/** Milliseconds between two heartbeats of a process, and until one without them counts as killed. */
const [RENEWAL, DEAD] = [15_000, 60_000];

const range = { $gte: PREFIX, $lt: `${PREFIX}~` };
const deadline = { $subtract: ['$$NOW', DEAD] };
const killed = { _id: range, $expr: { $lte: ['$at', deadline] } };

/**
 * Announces in `_claims` that this process serves the database. Returns a function that withdraws it.
 * @throws AppError unavailable
 */
export async function announceServing(db: Db): Promise<() => Promise<void>> {
  const claims = db.collection<Serving>('_claims');
  const _id = `${PREFIX}${randomUUID()}`;
  const renew = async (): Promise<void> => {
    await claims.updateOne({ _id }, { $currentDate: { at: true } }, { ...systemCommandOptions, upsert: true });
  };
  await translated(renew);
  const stop = repeat(RENEWAL, renew, () => undefined);
  return async () => {
    await stop();
    // If this fails the process counts for another minute.
    await claims.deleteOne({ _id }, systemCommandOptions).catch(() => undefined);
  };
}

/** Counts the processes that serve the database. @throws AppError unavailable */
export const countServing = (db: Db): Promise<number> =>
  translated(() =>
    db
      .collection<Serving>('_claims')
      .countDocuments({ _id: range, $expr: { $gt: ['$at', deadline] } }, systemCommandOptions),
  );

/**
 * Forgets the processes that were killed, after this work, which does what they may have left undone.
 * @throws AppError unavailable; the error of the work
 */
export async function replaceKilled(db: Db, work: () => Promise<void>): Promise<void> {
  const claims = db.collection<Serving>('_claims');
  const options = { ...systemCommandOptions, projection: { _id: 1 }, readPreference: 'primary' } as const;
  const found = await translated(() => claims.find(killed, options).toArray());
  if (found.length === 0) return;
  await work();
  const ids = found.map(({ _id }) => _id);
  await translated(() => claims.deleteMany({ $and: [{ _id: { $in: ids } }, killed] }, systemCommandOptions));
}
