import lodash from 'lodash';
import type { Document } from 'mongodb';
import type { ContentType } from '../../content-types/model/types.js';
import { changesOf } from '../../query/change.js';
import { noChanges, type Changes, type ReferenceRemoval } from '../../query/mutation.js';
import { editOf } from '../stored/entry-edit.js';
import { updateOf, type FieldChanges } from '../transactions/apply-changes.js';
import { entriesOf, matchingOrLocked, unlocked } from '../transactions/format.js';
import type { Transaction } from '../transactions/transaction.js';
import { executeWrites } from './execute-writes.js';
import { copyKey, hasCopy } from './write-copies.js';
import { idsOf, removalStep, type WriteParts } from './write-one.js';

/** Plain values that several entries get. */
export interface SameChange {
  readonly ids: readonly number[];
  readonly values: FieldChanges;
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
  await transactions.finishInterrupted();
  const current = transactions.current();
  // Entries are written together with their working copies.
  if (current === undefined && type.copies !== undefined)
    return transactions.joinOrRepeat(() => updateMany(context, type, updates, matching));
  let matched = 0;
  try {
    for (const { ids, values } of updates) {
      for (const together of lodash.chunk(ids, BATCH)) {
        const batch = { ids: together, values };
        matched += await (current === undefined
          ? updateFree(context, type, batch, matching)
          : current.inTurn(() => updateIn(context, current, type, batch, matching)));
      }
    }
  } finally {
    if (current === undefined) await versions.raise([{ type: type.uid, ids: updates.flatMap(({ ids }) => ids) }]);
  }
  return matched;
}

async function updateFree(
  parts: WriteParts,
  { collectionName: collection }: ContentType,
  { ids, values }: SameChange,
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
  { ids, values }: SameChange,
  matching: Document,
): Promise<number> {
  const { collectionName: collection, uid } = type;
  const locked = await transaction.lock(ids.map((id) => ({ collection, id })));
  const copiedIds = new Set(ids.filter((_, index) => hasCopy(editOf(locked[index] ?? {}))));
  const found = await idsOf(parts, collection, { $and: [{ _id: { $in: [...ids] } }, matching] });
  const left = found.filter((id) => !transaction.removed(collection).includes(id));
  const others = left.filter((id) => !copiedIds.has(id));
  await transaction.apply(others.map((id) => ({ kind: 'update', collection, id, uid, fields: values }) as const));
  transaction.after([], [{ type: uid, ids: left }]);
  const changes = { ...noChanges, values: values as Changes['values'] };
  for (const id of left.filter((one) => copiedIds.has(one)))
    await executeWrites(parts, transaction, [{ kind: 'update', type, id, changes }], {});
  return left.length;
}

/** An entry to remove, and the removals of the references to it. */
export interface Removal {
  readonly id: number;
  readonly references: readonly ReferenceRemoval[];
}

export interface Removed {
  readonly count: number;
  /** The entries that do not exist any more. */
  readonly ids: ReadonlySet<number>;
}

/**
 * Removes those of the entries that match the filter when they are locked, and the references to them, in one transaction.
 * @throws Locked; AppError unavailable; the driver's error
 */
export async function removeMany(
  parts: WriteParts,
  type: ContentType,
  removals: readonly Removal[],
  matching: Document,
): Promise<Removed> {
  const { collectionName: collection } = type;
  const remove = async (transaction: Transaction): Promise<Removed> => {
    const keys = removals.map(({ id }) => ({ collection, id }));
    const documents = await transaction.lock(keys);
    const present = removals.flatMap(({ id }, index) => (documents[index] === undefined ? [] : [id]));
    const ids = new Set(await idsOf(parts, collection, { $and: [{ _id: { $in: present } }, matching] }));
    const removed = removals.filter(({ id }) => ids.has(id));
    transaction.remove(collection, [...ids]);
    const copied = keys.filter(({ id }, index) => ids.has(id) && hasCopy(editOf(documents[index] ?? {})));
    if (type.copies !== undefined && copied.length > 0) {
      const copies = copied.map(({ id }) => copyKey(type.copies as ContentType, id));
      await transaction.lock(copies);
      transaction.remove(
        type.copies.collectionName,
        copies.map(({ id }) => id),
      );
    }
    const references = joinUnlinks(removed.flatMap((removal) => removal.references));
    const changes = [{ type: type.uid, ids: [...ids] }, ...changesOf(type.copies === undefined ? [] : [type.copies])];
    transaction.after(references.map(removalStep), changes);
    const gone = new Set(removals.flatMap(({ id }) => (present.includes(id) && !ids.has(id) ? [] : [id])));
    return { count: ids.size, ids: gone };
  };
  return parts.transactions.joinOrRepeat((transaction) => transaction.inTurn(() => remove(transaction)));
}

/** One removal per relation for all entries. */
function joinUnlinks(removals: readonly ReferenceRemoval[]): readonly ReferenceRemoval[] {
  const unlinks = new Map<string, ReferenceRemoval & { readonly kind: 'unlink' }>();
  for (const removal of removals) {
    if (removal.kind !== 'unlink') continue;
    // Entries and their working copies have the same attributes.
    const key = `${removal.type.uid} ${removal.attribute.name}`;
    const targets = unlinks.get(key)?.targets ?? [];
    unlinks.set(key, { ...removal, targets: [...targets, ...removal.targets] });
  }
  return [...unlinks.values(), ...removals.filter(({ kind }) => kind !== 'unlink')];
}
