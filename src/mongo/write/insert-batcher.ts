import type { Db } from 'mongodb';
import { AppError } from '../../errors/app-error.js';
import { refusedInBulk } from '../errors.js';
import { coalesce } from '../coordination/coalesce.js';
import type { StoredEntry } from '../stored/stored-entry.js';

/**
 * Inserts an entry into a collection.
 * @throws the driver's error, see `duplicateOf`
 */
export type Insert = (collection: string, entry: StoredEntry) => Promise<void>;

/** The outcome of an entry in a bulk; unconfirmed: it may or may not be stored. */
type Outcome = 'stored' | 'refused' | 'unconfirmed';

/** Concurrent inserts into the same collection share one command. `timeout` limits it, in milliseconds. */
export function createInsertBatcher(db: Db, timeout: number): Insert {
  const byName = new Map<string, (entry: StoredEntry) => Promise<Outcome>>();
  const insertAll = async (name: string, entries: readonly StoredEntry[]): Promise<readonly Outcome[]> => {
    try {
      await db.collection<StoredEntry>(name).insertMany(entries, { ordered: false, maxTimeMS: timeout });
      return entries.map(() => 'stored');
    } catch (error) {
      const { refused, confirmed } = refusedInBulk(error);
      return entries.map((_, index) => (refused.has(index) ? 'refused' : confirmed ? 'stored' : 'unconfirmed'));
    }
  };
  return async (name, entry) => {
    const insert = byName.get(name) ?? coalesce((entries: readonly StoredEntry[]) => insertAll(name, entries));
    byName.set(name, insert);
    const outcome = await insert(entry);
    if (outcome === 'unconfirmed') throw new AppError('unavailable');
    // Executed alone it is refused for the same reason, with its own error.
    if (outcome === 'refused') await db.collection<StoredEntry>(name).insertOne(entry, { maxTimeMS: timeout });
  };
}
