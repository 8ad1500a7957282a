import { isDeepStrictEqual } from 'node:util';
import type { AnyBulkWriteOperation, Collection, Document } from 'mongodb';
import type { Db } from 'mongodb';
import type { ContentType } from '../../../content-types/model/types.js';
import { batchesOf } from '../batches.js';
import { scanEntry } from '../check/scan-entry.js';
import { findUnfit } from '../unfit/find-unfit.js';
import { migrateDocument, type Migration } from './migrate-document.js';
import type { StoredEntry } from '../../stored/stored-entry.js';

const BATCH = 1000;

/**
 * Migrates all entries of a content type to its definition; yields the result of each batch. In each entry the texts
 * are the same for the same changes, so that they can be counted.
 * @param collection their collection now
 * @param apply false: nothing is written
 */
export async function* rewriteEntries(
  db: Db,
  type: ContentType,
  migration: Migration,
  { collection: name, apply }: { readonly collection: string; readonly apply: boolean },
) {
  const collection = db.collection<StoredEntry>(name);
  // Otherwise 64-bit integers would be read, and written back, as numbers.
  const cursor = collection.find<StoredEntry>({}, { sort: { _id: 1 }, batchSize: BATCH, useBigInt64: true });
  for await (const entries of batchesOf(cursor)) {
    const migrated = entries.map((stored) => ({ stored, ...migrateDocument(stored, type, migration) }));
    const writes = migrated.flatMap(({ stored, document }) => writeOf(stored, document) ?? []);
    const missed = apply ? await writeAll(collection, writes) : 0;
    const rule = `${missed} entries changed during the migration: run the command again`;
    yield {
      entries: entries.length,
      changes: migrated.flatMap(({ changes }) => changes),
      /** What later steps change in each entry, together with other entries. */
      pending: migrated.flatMap(({ pending }) => pending),
      /** What still does not fit the definition in each entry. */
      unfit: migrated.flatMap(({ document }) => findUnfit(scanEntry(document, type))),
      problems: [
        ...migrated.flatMap(({ stored: { _id }, problems }) =>
          problems.map((problem) => ({ collection: name, id: String(_id), ...problem })),
        ),
        ...(missed > 0 ? [{ collection: name, id: '', path: '', rule }] : []),
      ],
    };
  }
}

/** The update from one state to another, for an entry that is still in the first; undefined if they are equal. */
function writeOf(stored: StoredEntry, migrated: Document): AnyBulkWriteOperation<StoredEntry> | undefined {
  const names = [...new Set([...Object.keys(stored), ...Object.keys(migrated)])];
  const changed = names.filter((name) => !isDeepStrictEqual(stored[name], migrated[name]));
  if (changed.length === 0) return undefined;
  const [set, unset] = [changed.filter((name) => name in migrated), changed.filter((name) => !(name in migrated))];
  const before = changed.map((name) => [name, name in stored ? { $eq: stored[name] } : { $exists: false }]);
  const update = {
    ...(set.length > 0 && { $set: Object.fromEntries(set.map((name) => [name, migrated[name]])) }),
    ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map((name) => [name, ''])) }),
  };
  return { updateOne: { filter: { _id: stored._id, ...Object.fromEntries(before) }, update } };
}

/** Returns the number of entries that changed after they were read. */
async function writeAll(
  collection: Collection<StoredEntry>,
  writes: readonly AnyBulkWriteOperation<StoredEntry>[],
): Promise<number> {
  if (writes.length === 0) return 0;
  const { matchedCount } = await collection.bulkWrite([...writes], { ordered: false });
  return writes.length - matchedCount;
}
