import chunk from 'lodash/chunk.js';
import type { Document } from 'mongodb';
import type { ContentType } from '../../../content-types/model/types.js';
import type { Changes } from '../../../query/mutation.js';
import { changesOf } from '../../../query/change.js';
import { entriesOf, matchingOrLocked, unlocked } from '../../transactions/format.js';
import type { Transaction } from '../../transactions/transaction.js';
import { updateOf } from '../../transactions/apply-changes.js';
import { idsOf, type WriteParts } from '../write-one.js';

/** A change of scalar values in several entries. */
export interface SameChange {
  readonly ids: readonly number[];
  readonly changes: Changes;
}

/** The maximum number of entries per command. */
const BATCH = 1000;

/**
 * Updates those of the entries that match the filter when the command runs. Outside of a transaction each update is atomic, and an error can occur after
 * some of them. Returns the number of matching entries.
 * @throws the driver's error, see `duplicateOf`; Locked
 */
export async function updateMany(
  context: WriteParts,
  type: ContentType,
  updates: readonly SameChange[],
  matching: Document,
): Promise<number> {
  const { transactions, versions } = context;
  await transactions.settle();
  const current = transactions.current();
  let matched = 0;
  try {
    for (const { ids, changes } of updates) {
      for (const together of chunk(ids, BATCH)) {
        const batch = { ids: together, changes };
        matched += await (current === undefined
          ? updateFree(context, type, batch, matching)
          : current.inTurn(() => updateIn(context, current, type, batch, matching)));
      }
    }
  } finally {
    if (current === undefined) await versions.raise(changesOf([type]));
  }
  return matched;
}

async function updateFree(
  parts: WriteParts,
  { collectionName: collection }: ContentType,
  { ids, changes: { values } }: SameChange,
  matching: Document,
): Promise<number> {
  const isOther = { updatedAt: { $ne: values.get('updatedAt') } };
  let matched = 0;
  for (let left: readonly number[] = ids; left.length > 0;) {
    const filter = { $and: [{ _id: { $in: [...left] } }, matching, unlocked] };
    const { matchedCount } = await entriesOf(parts.db, collection).updateMany(filter, updateOf(values), {
      maxTimeMS: parts.timeout,
    });
    matched += matchedCount;
    if (matchedCount === left.length) break;
    // Some may have been locked.
    const missed = { $and: [{ _id: { $in: [...left] } }, isOther, matchingOrLocked(matching)] };
    left = await idsOf(parts, collection, missed);
    await parts.transactions.awaitUnlocked(left.map((id) => ({ collection, id })));
  }
  return matched;
}

async function updateIn(
  parts: WriteParts,
  transaction: Transaction,
  type: ContentType,
  { ids, changes: { values } }: SameChange,
  matching: Document,
): Promise<number> {
  const { collectionName: collection, uid } = type;
  await transaction.lock(ids.map((id) => ({ collection, id })));
  const found = await idsOf(parts, collection, { $and: [{ _id: { $in: [...ids] } }, matching] });
  const left = found.filter((id) => !transaction.removed(collection).includes(id));
  await transaction.apply(left.map((id) => ({ kind: 'update', collection, id, uid, fields: values })));
  transaction.after([], changesOf([type]));
  return left.length;
}
