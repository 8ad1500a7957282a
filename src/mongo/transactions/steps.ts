import { Binary, BSON, type Db, type Document } from 'mongodb';
import { groupBy } from '../../config/group-by.js';
import type { Change } from '../../query/change.js';
import { LOCK, lockedBy, UNDO, unlocked, type EntryKey } from './format.js';

/**
 * A command that follows a commit, and can be repeated without harm: it removes entries that the transaction has
 * locked, or changes what matches a filter. It skips entries that others have locked, and is repeated until there are
 * none.
 */
export type AfterStep =
  | { readonly kind: 'remove'; readonly collection: string; readonly ids: readonly number[] }
  | {
      readonly kind: 'update';
      readonly collection: string;
      readonly filter: Document;
      readonly update: Document | readonly Document[];
      /** What caches have to know if it finds an entry. */
      readonly change?: Change;
    };

/** Steps as one value: fields of documents cannot have the names of all operators. */
export const encodeSteps = (steps: readonly AfterStep[]): Binary => new Binary(BSON.serialize({ steps }));

export const decodeSteps = (encoded: Binary | undefined): readonly AfterStep[] =>
  encoded === undefined ? [] : (BSON.deserialize(encoded.buffer)['steps'] as readonly AfterStep[]);

/**
 * Runs each step once: the entries are removed first, so that nobody finds an entry that is about to go. Returns the
 * updates of the collections in which these found entries.
 */
export async function runSteps(
  db: Db,
  transactionId: string,
  steps: readonly AfterStep[],
  maxTimeMS: number,
): Promise<readonly AfterStep[]> {
  const own = { $or: [unlocked, lockedBy(transactionId)] };
  const removals = steps.filter((step) => step.kind === 'remove');
  const updates = steps.filter((step) => step.kind === 'update');
  await Promise.all(
    [...groupBy(removals, ({ collection }) => collection)].map(([name, all]) =>
      db
        .collection<{ _id: number }>(name)
        .deleteMany({ _id: { $in: all.flatMap(({ ids }) => ids) }, ...lockedBy(transactionId) }, { maxTimeMS }),
    ),
  );
  const done = await Promise.all(
    [...groupBy(updates, ({ collection }) => collection)].map(async ([name, all]) => {
      const operations = all.map(({ filter, update }) => ({
        updateMany: { filter: { $and: [filter, own] }, update: update as Document[] },
      }));
      const { matchedCount } = await db.collection(name).bulkWrite(operations, { ordered: false, maxTimeMS });
      return matchedCount > 0 ? all : [];
    }),
  );
  return done.flat();
}

/** An entry that a step has skipped, with the transaction that has locked it. */
interface SkippedEntry extends EntryKey {
  readonly transactionId: string | undefined;
}

/**
 * Entries that updates have skipped, and those that others may restore as they would still have to be updated. One
 * command.
 */
export async function findSkipped(
  db: Db,
  steps: readonly AfterStep[],
  maxTimeMS: number,
): Promise<readonly SkippedEntry[]> {
  const updates = steps.filter((step) => step.kind === 'update');
  const [first, ...others] = [...groupBy(updates, ({ collection }) => collection)].map(([collection, own]) => ({
    collection,
    stages: [
      { $match: { $or: own.map(({ filter }) => filter) } },
      { $limit: MOST },
      { $project: { _id: 0, id: '$_id', collection: { $literal: collection }, transactionId: `$${LOCK}.by` } },
    ],
  }));
  if (first === undefined) return [];
  const former = updates.map(({ collection, filter }) => ({ collection, ...within('document', filter) }));
  const logged = {
    collection: UNDO,
    stages: [
      { $match: { $or: former } },
      { $limit: MOST },
      { $project: { _id: 0, id: 1, collection: 1, transactionId: '$_id' } },
    ],
  };
  const unions = [...others, logged].map(({ collection, stages }) => ({
    $unionWith: { coll: collection, pipeline: stages },
  }));
  const pipeline = [...first.stages, ...unions];
  const options = { maxTimeMS, readPreference: 'primary' } as const;
  const found = await db.collection(first.collection).aggregate<SkippedEntry>(pipeline, options).toArray();
  // The id of an undo record begins with its transaction, see `undoId`.
  return found.map(({ transactionId, ...key }) => ({ ...key, transactionId: transactionId?.split(' ', 1)[0] }));
}

/** A filter of documents that are in a field; it names attributes only, at its top level. */
const within = (field: string, filter: Document): Document =>
  Object.fromEntries(Object.entries(filter).map(([name, condition]) => [`${field}.${name}`, condition as unknown]));

/** Entries per collection that are looked at together. */
const MOST = 100;
