import { MongoBulkWriteError, type Collection, type Db, type Document } from 'mongodb';
import { shareRuns } from './share-runs.js';

export type Entry = Document & { readonly _id: number };

/** Inserts an entry into a collection. @throws the driver's error, see `duplicateOf` */
export type Insert = (collection: string, entry: Entry) => Promise<void>;

/** Inserts that wait at the same moment for the same collection share one command of at most so many milliseconds. */
export function shareInserts(db: Db, timeout: number): Insert {
  const byName = new Map<string, (entry: Entry) => Promise<boolean>>();
  return async (name, entry) => {
    const collection = db.collection<Entry>(name);
    const insert =
      byName.get(name) ?? shareRuns((entries: readonly Entry[]) => insertAll(collection, entries, timeout));
    byName.set(name, insert);
    // Alone it meets the same obstacle, and its error tells which.
    if (!(await insert(entry))) await collection.insertOne(entry, { maxTimeMS: timeout });
  };
}

/** Gives which of the entries are stored; the others are refused, each for itself. */
async function insertAll(
  collection: Collection<Entry>,
  entries: readonly Entry[],
  timeout: number,
): Promise<readonly boolean[]> {
  try {
    await collection.insertMany([...entries], { ordered: false, maxTimeMS: timeout });
    return entries.map(() => true);
  } catch (error) {
    const refused = error instanceof MongoBulkWriteError ? [error.writeErrors].flat().map(({ index }) => index) : [];
    if (refused.length === 0) throw error;
    return entries.map((_, index) => !refused.includes(index));
  }
}
