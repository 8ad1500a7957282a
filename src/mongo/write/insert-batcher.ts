import type { Collection, Db, Document } from 'mongodb';
import { AppError } from '../../errors/app-error.js';
import { refusedInBulk } from './refused-in-bulk.js';
import { coalesce } from '../coordination/coalesce.js';

export type Entry = Document & { readonly _id: number };

/**
 * Inserts an entry into a collection.
 * @param before records the event of the entry: if this fails, the entry is not inserted
 * @throws the driver's error, see `duplicateOf`
 */
export type Insert = (collection: string, entry: Entry, before?: () => Promise<void>) => Promise<void>;

interface Request {
  readonly entry: Entry;
  readonly before: (() => Promise<void>) | undefined;
}

/** Concurrent inserts into the same collection share one command, and so do their events. `timeout` limits it, in milliseconds. */
export function createInsertBatcher(db: Db, timeout: number): Insert {
  const byName = new Map<string, (request: Request) => Promise<Outcome>>();
  return async (name, entry, before) => {
    const collection = db.collection<Entry>(name);
    const insert =
      byName.get(name) ?? coalesce((requests: readonly Request[]) => insertAll(collection, requests, timeout));
    byName.set(name, insert);
    const outcome = await insert({ entry, before });
    if (outcome === 'unconfirmed') throw new AppError('unavailable');
    // Executed alone it is refused for the same reason, with its own error.
    if (outcome === 'refused') await collection.insertOne(entry, { maxTimeMS: timeout });
  };
}

/** The outcome of an entry in a bulk; unconfirmed: it may or may not be stored. */
type Outcome = 'stored' | 'refused' | 'unconfirmed';

async function insertAll(
  collection: Collection<Entry>,
  requests: readonly Request[],
  timeout: number,
): Promise<readonly Outcome[]> {
  await Promise.all(requests.map(async ({ before }) => before?.()));
  const entries = requests.map(({ entry }) => entry);
  try {
    await collection.insertMany(entries, { ordered: false, maxTimeMS: timeout });
    return entries.map(() => 'stored');
  } catch (error) {
    const { refused, confirmed } = refusedInBulk(error);
    return entries.map((_, index) => (refused.has(index) ? 'refused' : confirmed ? 'stored' : 'unconfirmed'));
  }
}
