import type { Document } from 'mongodb';
import type { ContentType } from '../../../content-types/model/types.js';
import type { Changes } from '../../../query/mutation.js';
import type { Versions } from '../../cache/versions.js';
import { compileUpdate } from '../../compile/write/write.js';
import { awaitEntries, decided } from '../batch/decisions.js';
import { changesOf } from '../../../query/change.js';
import type { WriteParts } from '../execute-write.js';
import type { Entry } from '../insert-batcher.js';
import type { Intents } from '../intents.js';
import type { PendingIntents } from '../pending-intents.js';

/** A change of several entries without dependent writes. */
export interface SameChange {
  readonly ids: readonly number[];
  readonly changes: Changes;
}

interface UpdateContext extends WriteParts {
  readonly intents: Intents;
  readonly versions: Versions;
  readonly pending: PendingIntents;
}

/** The maximum number of entries per command. */
const BATCH = 1000;

/**
 * Updates those of the entries that match the filter when the command runs. Each update is atomic: an error can occur after some of them.
 * Returns the number of matching entries.
 * @throws the driver's error, see `duplicateOf`; AppError conflict if a batch has written some of them and is not decided for a while
 */
export async function updateMany(
  context: UpdateContext,
  type: ContentType,
  updates: readonly SameChange[],
  matching: Document,
): Promise<number> {
  const { db, timeout: maxTimeMS, versions, pending } = context;
  await pending.settle();
  const collection = db.collection<Entry>(type.collectionName);
  let matched = 0;
  try {
    for (const { ids, changes } of updates) {
      const update = compileUpdate(changes) as Document;
      const isOther = { updatedAt: { $ne: changes.values.get('updatedAt') } };
      for (let start = 0; start < ids.length; start += BATCH) {
        let left: readonly number[] = ids.slice(start, start + BATCH);
        while (left.length > 0) {
          const filter = { $and: [{ _id: { $in: [...left] } }, matching, decided] };
          const { matchedCount } = await collection.updateMany(filter, update, { maxTimeMS });
          matched += matchedCount;
          // What a batch has written may be undone, and this change with it.
          left =
            matchedCount === left.length ? [] : await awaitEntries(context, type, left, { $and: [matching, isOther] });
        }
      }
    }
  } finally {
    await versions.raise(changesOf([type]));
  }
  return matched;
}
