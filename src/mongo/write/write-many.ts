import lodash from 'lodash';
import type { Document } from 'mongodb';
import { hiddenTypesOf } from '../../content-types/model/stored-types.js';
import type { ContentType } from '../../content-types/model/types.js';
import { changesOf } from '../../query/change.js';
import { followingWrite } from '../errors.js';
import { noChanges, type Changes, type Deletion, type ReferenceRemoval } from '../../query/mutation.js';
import { editOf } from '../stored/entry-edit.js';
import type { Receipt } from '../../query/receipt.js';
import { receiptsIn, withoutReceipts } from '../stored/receipts.js';
import { updateOf, type EntryChange, type FieldChanges } from '../transactions/apply-changes.js';
import { entriesOf, matchingOrLocked, unlocked } from '../transactions/format.js';
import type { Transaction } from '../transactions/transaction.js';
import { executeWrites } from './execute-writes.js';
import { documentInTrash, latestOf } from './move-to-trash.js';
import { copyKey, hasCopy } from './write-copies.js';
import { idsOf, removalStep, type WriteParts } from './write-one.js';

/** Plain values that several entries get. */
export interface SameChange {
  readonly ids: readonly number[];
  readonly values: FieldChanges;
  /** Stored with each of them. */
  readonly receipt?: Receipt | undefined;
}

/** The maximum number of entries per command. */
const BATCH = 1000;

/**
 * Updates those of the entries that match the filter when the command runs. Outside of a transaction each update is
 * atomic, and an error can occur after some of them. Returns the number of matching entries.
 * @throws the driver's error, see `duplicateOf`; Locked
 */
export async function updateMany(
  context: WriteParts,
  type: ContentType,
  updates: readonly SameChange[],
  matching: Document,
): Promise<number> {
  const { transactions, versions, receipts } = context;
  await transactions.finishInterrupted();
  const current = transactions.current();
  // Entries are written together with their working copies.
  if (current === undefined && type.copies !== undefined)
    return transactions.joinOrRepeat(() => updateMany(context, type, updates, matching));
  let matched = 0;
  try {
    for (const { ids, values, receipt: given } of updates) {
      const receipt = receipts?.of(type, given, 'update');
      for (const together of lodash.chunk(ids, BATCH)) {
        const batch = { ids: together, values, receipt };
        matched += await (current === undefined
          ? updateFree(context, type, batch, matching)
          : current.inTurn(() => updateIn(context, current, type, batch, matching)));
      }
    }
  } finally {
    const changes = [{ type: type.uid, ids: updates.flatMap(({ ids }) => ids) }];
    if (current === undefined) await followingWrite(() => versions.raise(changes));
  }
  return matched;
}

async function updateFree(
  parts: WriteParts,
  { collectionName: collection }: ContentType,
  { ids, values, receipt }: SameChange,
  matching: Document,
): Promise<number> {
  const isOther = { updatedAt: { $ne: values.get('updatedAt') } };
  let matched = 0;
  for (let left: readonly number[] = ids; left.length > 0;) {
    const filter = { $and: [{ _id: { $in: [...left] } }, matching, unlocked] };
    const { matchedCount } = await entriesOf(parts.db, collection).updateMany(filter, updateOf(values, receipt), {
      maxTimeMS: parts.timeout,
    });
    matched += matchedCount;
    if (matchedCount === left.length) break;
    // Some may have been locked.
    const missed = { $and: [{ _id: { $in: [...left] } }, isOther, matchingOrLocked(matching)] };
    left = await idsOf(parts, collection, missed);
    await parts.transactions.awaitUnlocked(left.map((id) => ({ collection, id })));
  }
  if (receipt !== undefined) await followingWrite(async () => parts.receipts?.storedIn(collection, ids, receipt));
  return matched;
}

async function updateIn(
  parts: WriteParts,
  transaction: Transaction,
  type: ContentType,
  { ids, values, receipt }: SameChange,
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
  if (receipt !== undefined) transaction.sign(others.map((id) => ({ collection, id, receipt })));
  const changes = { ...noChanges, values: values as Changes['values'] };
  for (const id of left.filter((one) => copiedIds.has(one)))
    await executeWrites(parts, transaction, [{ kind: 'update', type, id, changes, receipt }], {});
  return left.length;
}

/** An entry to remove, and the removals of the references to it. */
export interface Removal {
  readonly id: number;
  readonly references: readonly ReferenceRemoval[];
  /** See `PrimaryWrite`. */
  readonly deletion?: Deletion;
  /** Stored with the removal. */
  readonly receipt?: Receipt | undefined;
}

export interface Removed {
  readonly count: number;
  /** The entries that this removal has removed. */
  readonly removed: ReadonlySet<number>;
  /** The entries that do not exist any more. */
  readonly ids: ReadonlySet<number>;
}

/**
 * Removes those of the entries that match the filter when they are locked, and the references to them, in one
 * transaction.
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
    const copies = await lockCopies(transaction, type, documents);
    await keepInTrash(parts, transaction, type, removed, (id) => {
      const entry = documents[removals.findIndex((removal) => removal.id === id)] ?? {};
      return withoutReceipts(latestOf(entry, copies.get(id)));
    });
    transaction.remove(collection, [...ids]);
    for (const [index, { id, receipt: given }] of removals.entries()) {
      if (!ids.has(id)) continue;
      const receipt = parts.receipts?.of(type, given, type.trashOf === undefined ? 'delete' : 'purge');
      transaction.sign(receiptsIn({ collection, id }, documents[index]));
      if (receipt !== undefined) transaction.sign([{ collection, id, receipt }]);
    }
    if (type.copies !== undefined)
      transaction.remove(
        type.copies.collectionName,
        [...copies.keys()].filter((id) => ids.has(id)),
      );
    const references = joinUnlinks(removed.flatMap((removal) => removal.references));
    const changes = [{ type: type.uid, ids: [...ids] }, ...changesOf(hiddenTypesOf(type))];
    transaction.after(references.map(removalStep), changes);
    const gone = new Set(removals.flatMap(({ id }) => (present.includes(id) && !ids.has(id) ? [] : [id])));
    return { count: ids.size, removed: ids, ids: gone };
  };
  return parts.transactions.joinOrRepeat((transaction) => transaction.inTurn(() => remove(transaction)));
}

/** The working copies of entries, by their ids. */
async function lockCopies(
  transaction: Transaction,
  { copies }: ContentType,
  entries: readonly (Document | undefined)[],
): Promise<ReadonlyMap<number, Document>> {
  if (copies === undefined) return new Map();
  const copied = entries.flatMap((entry) =>
    entry !== undefined && hasCopy(editOf(entry)) ? [Number(entry['_id'])] : [],
  );
  const documents = await transaction.lock(copied.map((id) => copyKey(copies, id)));
  return new Map(
    copied.flatMap((id, index) => (documents[index] === undefined ? [] : [[id, documents[index]] as const])),
  );
}

/** Stores entries that are about to be removed in the trash of their type. */
async function keepInTrash(
  parts: WriteParts,
  transaction: Transaction,
  type: ContentType,
  removals: readonly Removal[],
  latest: (id: number) => Document,
): Promise<void> {
  const { trash } = type;
  if (trash === undefined) return;
  const inserts: EntryChange[] = [];
  for (const { id, references, deletion } of removals) {
    if (deletion === undefined) continue;
    const kept = { latest: latest(id), deletion };
    const document = await documentInTrash(parts, { type, id, references }, kept, (keys) => transaction.lock(keys));
    inserts.push({ kind: 'insert', collection: trash.type.collectionName, id, uid: trash.type.uid, document });
  }
  await transaction.apply(inserts);
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
