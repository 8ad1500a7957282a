import type { Db, Document } from 'mongodb';
import type { Insert } from '../write/insert-batcher.js';
import { refusedInBulk } from '../write/refused-in-bulk.js';
import type { EntryChange, FieldChanges } from './entry-change.js';
import { changeableBy, entriesOf, LOCK, type EntryLock } from './format.js';

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

export interface ApplyOptions {
  readonly db: Db;
  readonly insert: Insert;
  readonly timeout: number;
}

/**
 * Applies changes of one collection, each of which requires the lock of the transaction, or inserts an entry with it.
 * @returns whether all were applied; otherwise another process has taken locks away, or a change was refused that would not be any more
 * @throws the driver's error; if the changes are several, some of them may be applied
 */
export async function applyTogether(
  options: ApplyOptions,
  by: string,
  changes: readonly EntryChange[],
): Promise<boolean> {
  const { db, insert, timeout: maxTimeMS } = options;
  const collection = entriesOf(db, changes[0]?.collection ?? '');
  const operations = changes.map((change) => operationOf(change, by));
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
    // The error of a bulk names no duplicate. Executed alone, the change is refused with its own error. If it is not, those after it are missing.
    await applyTogether(options, by, changes.slice(index, index + 1));
    return false;
  }
}

type Operation =
  | { readonly insertOne: { readonly document: { _id: number } } }
  | { readonly updateOne: { readonly filter: { _id: number }; readonly update: Document } };

function operationOf(change: EntryChange, by: string): Operation {
  const filter = { _id: change.id, ...changeableBy(by) };
  switch (change.kind) {
    case 'insert': {
      const lock: EntryLock = { by, isNew: true, changed: true };
      return { insertOne: { document: { ...change.document, _id: change.id, [LOCK]: lock } as { _id: number } } };
    }
    case 'update':
      return { updateOne: { filter, update: updateOf(new Map([...change.fields, [`${LOCK}.changed`, true]])) } };
    case 'remove':
      return { updateOne: { filter, update: { $set: { [`${LOCK}.removed`]: true } } } };
    default:
      return change satisfies never;
  }
}

/** The update of these fields; undefined removes a field. */
export function updateOf(fields: FieldChanges): Document {
  const entries = [...fields];
  const set = entries.filter(([, value]) => value !== undefined);
  const unset = entries.flatMap(([name, value]) => (value === undefined ? [[name, ''] as const] : []));
  return {
    ...(set.length > 0 && { $set: Object.fromEntries<unknown>(set) }),
    ...(unset.length > 0 && { $unset: Object.fromEntries<unknown>(unset) }),
  };
}
