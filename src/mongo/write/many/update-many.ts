import type { Db, Document } from 'mongodb';
import type { ContentType } from '../../../content-types/model/types.js';
import type { Changes } from '../../../query/mutation.js';
import type { Versions } from '../../cache/versions.js';
import { compileUpdate } from '../../compile/write/write.js';
import type { Entry } from '../insert-batcher.js';
import type { PendingIntents } from '../pending-intents.js';

/** A change of several entries without dependent writes. */
export interface SameChange {
  readonly ids: readonly number[];
  readonly changes: Changes;
}

interface UpdateContext {
  readonly db: Db;
  /** Maximum time of a command, in milliseconds. */
  readonly timeout: number;
  readonly versions: Versions;
  readonly pending: PendingIntents;
}

/** The maximum number of entries per command. */
const BATCH = 1000;

/**
 * Updates those of the entries that match the filter when the command runs. Each update is atomic: an error can occur after some of them.
 * Returns the number of matching entries.
 * @throws the driver's error, see `duplicateOf`
 */
export async function updateMany(
  { db, timeout: maxTimeMS, versions, pending }: UpdateContext,
  type: ContentType,
  updates: readonly SameChange[],
  matching: Document,
): Promise<number> {
  await pending.settle();
  const collection = db.collection<Entry>(type.collectionName);
  let matched = 0;
  try {
    for (const { ids, changes } of updates) {
      const update = compileUpdate(changes) as Document;
      for (let start = 0; start < ids.length; start += BATCH) {
        const filter = { $and: [{ _id: { $in: ids.slice(start, start + BATCH) } }, matching] };
        matched += (await collection.updateMany(filter, update, { maxTimeMS })).matchedCount;
      }
    }
  } finally {
    await versions.raise([type.uid]);
  }
  return matched;
}
