import type { Document } from 'mongodb';
import type { NewDocument } from '../../query/mutation.js';
import type { Receipt } from '../../query/receipt.js';
import { refusedInBulk } from '../errors.js';
import { RECEIPTS } from '../stored/receipts.js';
import { changeableBy, entriesOf, LOCK, type EntryKey, type EntryLock } from './format.js';
import type { TransactionParts } from './transaction-parts.js';

/** An entry that a transaction changes. */
export interface LoggedKey extends EntryKey {
  /** Of its content type, whose caches have to know. */
  readonly uid?: string;
}

/** A step of a transaction that changes one entry; the fields are those at the top level. */
export type EntryChange = LoggedKey &
  (
    | { readonly kind: 'insert'; readonly document: NewDocument }
    | { readonly kind: 'update'; readonly fields: FieldChanges }
  );

/** New values by field; undefined removes the field. */
export type FieldChanges = ReadonlyMap<string, unknown>;

/** Changes in one command. */
const MOST = 1000;

/** Changes that follow each other and can be sent in one command. */
export function runsOf(changes: readonly EntryChange[]): readonly (readonly EntryChange[])[] {
  const runs: EntryChange[][] = [];
  for (const change of changes) {
    const last = runs.at(-1);
    const isSame = last?.[0]?.collection === change.collection && last.length < MOST;
    if (isSame) last.push(change);
    else runs.push([change]);
  }
  return runs;
}

/**
 * Applies changes of one collection, each of which requires the lock of the transaction, or inserts an entry with it.
 * @returns whether all were applied; otherwise another process has taken locks away, or a change was refused that would
 * not be any more
 * @throws the driver's error; if the changes are several, some of them may be applied
 */
export async function applyTogether(
  parts: TransactionParts,
  transactionId: string,
  changes: readonly EntryChange[],
): Promise<boolean> {
  const { db, insert, timeout: maxTimeMS } = parts;
  const collection = entriesOf(db, changes[0]?.collection ?? '');
  const operations = changes.map((change) => operationOf(change, transactionId));
  const [operation] = operations;
  if (operations.length === 1 && operation !== undefined) {
    if ('insertOne' in operation) {
      await insert(collection.collectionName, operation.insertOne.document);
      return true;
    }
    const { filter, update } = operation.updateOne;
    return (await collection.updateOne(filter, update, { maxTimeMS })).matchedCount === 1;
  }
  try {
    const { matchedCount, insertedCount } = await collection.bulkWrite(operations, { maxTimeMS });
    return matchedCount + insertedCount === changes.length;
  } catch (error) {
    const { refused, confirmed } = refusedInBulk(error);
    const [index] = refused.keys();
    if (!confirmed || index === undefined) throw error;
    // The error of a bulk names no duplicate. Executed alone, the change is refused with its own error. If it is not,
    // those after it are missing.
    await applyTogether(parts, transactionId, changes.slice(index, index + 1));
    return false;
  }
}

type BulkOperation =
  | { readonly insertOne: { readonly document: NewDocument } }
  | { readonly updateOne: { readonly filter: { _id: number }; readonly update: Document } };

function operationOf(change: EntryChange, transactionId: string): BulkOperation {
  const filter = { _id: change.id, ...changeableBy(transactionId) };
  switch (change.kind) {
    case 'insert': {
      const lock: EntryLock = { by: transactionId, isNew: true, changed: true };
      return { insertOne: { document: { ...change.document, [LOCK]: lock } } };
    }
    case 'update':
      return { updateOne: { filter, update: updateOf(new Map([...change.fields, [`${LOCK}.changed`, true]])) } };
    default:
      return change satisfies never;
  }
}

/** The update of these fields; undefined removes a field. @param receipt is added to those of the entry */
export function updateOf(fields: FieldChanges, receipt?: Receipt): Document {
  const entries = [...fields];
  const set = entries.filter(([, value]) => value !== undefined);
  const unset = entries.flatMap(([name, value]) => (value === undefined ? [[name, ''] as const] : []));
  return {
    ...(set.length > 0 && { $set: Object.fromEntries<unknown>(set) }),
    ...(unset.length > 0 && { $unset: Object.fromEntries<unknown>(unset) }),
    ...(receipt !== undefined && { $push: { [RECEIPTS]: receipt } }),
  };
}
