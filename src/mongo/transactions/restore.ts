import type { AnyBulkWriteOperation, Collection, Db, Document } from 'mongodb';
import { groupBy } from '../../config/group-by.js';
import { copiesIn } from '../../content-types/model/stored-types.js';
import { DUPLICATE_KEY, duplicateOf, refusedInBulk } from '../errors.js';
import { withFields } from '../stored/entry-edit.js';
import { LOCK, lockedBy, type UndoRecord } from './format.js';
import type { StoredEntry } from '../stored/stored-entry.js';

/**
 * Gives the entries in these undo records, where the transaction has still locked them, their former documents, and
 * removes the new ones. They stay locked: nobody may see one of them restored, and another one not.
 * @throws AppError unavailable; the driver's error
 */
export async function restoreEntries(
  db: Db,
  transactionId: string,
  records: readonly UndoRecord[],
  maxTimeMS: number,
): Promise<void> {
  const restore = async (some: readonly UndoRecord[]): Promise<void> => {
    const byName = groupBy(some, ({ collection }) => collection);
    await Promise.all(
      [...byName].map(([name, ofCollection]) =>
        restoreAll(db.collection<StoredEntry>(name), transactionId, ofCollection, maxTimeMS),
      ),
    );
  };
  // A working copy goes after its entry has stopped saying that there is one: until then readers look for it.
  const isCopy = ({ collection }: UndoRecord): boolean => collection.startsWith(COPIES);
  await restore(records.filter((record) => !isCopy(record)));
  const copies = records.filter(isCopy);
  if (copies.length > 0) await restore(copies);
}

/** What the names of collections of working copies begin with. */
const COPIES = copiesIn('');

async function restoreAll(
  collection: Collection<StoredEntry>,
  transactionId: string,
  records: readonly UndoRecord[],
  maxTimeMS: number,
): Promise<void> {
  let left = records;
  for (;;) {
    const refused = await restoreTogether(collection, transactionId, left, maxTimeMS);
    if (refused.length === 0) return;
    // Each of them may need a value that another of them still has.
    if (refused.length === left.length) break;
    // What prevented them may be restored or removed now.
    left = refused;
  }
  for (const record of left) await restoreRest(collection, transactionId, record, maxTimeMS);
}

/** Returns those that a unique value of another entry prevents. */
async function restoreTogether(
  collection: Collection<StoredEntry>,
  transactionId: string,
  records: readonly UndoRecord[],
  maxTimeMS: number,
): Promise<readonly UndoRecord[]> {
  const operations = records.map(({ id, document }): AnyBulkWriteOperation<StoredEntry> => {
    const filter = { _id: Number(id), ...lockedBy(transactionId) };
    return document === null
      ? { deleteOne: { filter } }
      : { replaceOne: { filter, replacement: restored(document, transactionId) } };
  });
  try {
    await collection.bulkWrite(operations, { ordered: false, maxTimeMS });
    return [];
  } catch (error) {
    const { refused, confirmed } = refusedInBulk(error);
    if (!confirmed || [...refused.values()].some(({ code }) => code !== DUPLICATE_KEY)) throw error;
    return [...refused.keys()].flatMap((index) => records[index] ?? []);
  }
}

const restored = (document: Document, transactionId: string): StoredEntry =>
  ({ ...document, [LOCK]: { by: transactionId, undone: true } }) as unknown as StoredEntry;

/**
 * A unique value that the transaction gave up, and that another write has taken since, stays with that: the entry keeps
 * what it has instead.
 */
async function restoreRest(
  collection: Collection<StoredEntry>,
  transactionId: string,
  { id, document }: UndoRecord,
  maxTimeMS: number,
): Promise<void> {
  const filter = { _id: Number(id), ...lockedBy(transactionId) };
  let replacement = restored(document ?? {}, transactionId);
  for (;;) {
    try {
      await collection.replaceOne(filter, replacement, { maxTimeMS });
      return;
    } catch (error) {
      const field = duplicateOf(error)?.path.split('.', 1)[0];
      const current = await collection.findOne(filter, { promoteValues: false, maxTimeMS });
      if (field === undefined || current === null || replacement[field] === current[field]) throw error;
      replacement = withFields(replacement, new Map([[field, current[field]]])) as StoredEntry;
    }
  }
}
