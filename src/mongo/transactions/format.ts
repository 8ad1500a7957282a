import type { Binary, Collection, Db, Document, Int32 } from 'mongodb';
import type { Change } from '../../query/change.js';
import type { EntryReceipt } from '../../query/receipt.js';

/*
 * The stored form of transactions; see docs/internals/writes.md.
 *
 * - `_transactions` has a record for each transaction while it is open, and until everything that follows its end is
 *   done.
 * - An entry that a transaction reads or changes has a lock in its field `_lock`, until the transaction has ended.
 * - `_undo` has each of these entries as it was when it was locked, and names the new ones.
 */

export const TRANSACTIONS = '_transactions';
export const UNDO = '_undo';
/** The field of an entry with its lock. */
export const LOCK = '_lock';

/** A condition: no transaction has locked the entry. */
export const unlocked: Document = { [LOCK]: null };

/**
 * A condition: an entry matches, or a transaction has locked it. What this has changed may not match, and match again
 * when it is undone.
 */
export const matchingOrLocked = (matching: Document): Document => ({ $or: [{ $nor: [unlocked] }, matching] });

export interface EntryLock {
  /** The id of the transaction. */
  readonly by: string;
  /** The transaction has created the entry. */
  readonly isNew?: true;
  /** The transaction has changed the entry. */
  readonly changed?: true;
  /** The entry has its former document again: nothing of the transaction may change it any more. */
  readonly undone?: true;
}

/** The name of an entry. */
export interface EntryKey {
  readonly collection: string;
  readonly id: number;
}

export interface StoredTransaction {
  readonly _id: string;
  readonly state: 'open' | 'committed' | 'aborted';
  /** The last heartbeat of its process, by the clock of the database. */
  readonly at: Date;
  /** The steps that follow the commit, encoded because they have operators; see `AfterStep`. */
  readonly after?: Binary;
  /** What it has changed, for the caches of all processes. */
  readonly changes?: readonly Change[];
  /** Those of its writes: the record stays until they are collected. */
  readonly receipts?: readonly EntryReceipt[];
  /**
   * Another process has adopted it: it has begun to do what follows the commit. The name is stored, and processes of
   * the version before read it.
   */
  readonly isMet?: true;
}

export interface UndoRecord {
  /** See `undoId`. */
  readonly _id: string;
  readonly collection: string;
  /** Numbers keep their types when they are read. */
  readonly id: number | Int32;
  /** The entry before the transaction, without its lock; null if the transaction has created it. */
  readonly document: Document | null;
  /** The uid of its content type, if its caches have to know. */
  readonly uid?: string;
}

export const undoId = (transactionId: string, key: EntryKey): string => `${transactionId} ${nameOf(key)}`;

/** The undo records of a transaction, by their ids. */
export const undoOf = (transactionId: string): Document => ({
  _id: { $gte: `${transactionId} `, $lt: `${transactionId}!` },
});

/** The condition that this transaction has locked the entry. */
export const lockedBy = (transactionId: string): Document => ({ [`${LOCK}.by`]: transactionId });

/** The condition that this transaction has locked the entry, and that nobody has given it its former document again. */
export const changeableBy = (transactionId: string): Document => ({
  ...lockedBy(transactionId),
  [`${LOCK}.undone`]: null,
});

export const lockOf = (document: Document): EntryLock | undefined => (document[LOCK] as EntryLock | null) ?? undefined;

export const withoutLock = (document: Document): Document =>
  Object.fromEntries(Object.entries(document).filter(([name]) => name !== LOCK));

/** The entries of a collection by their ids. */
export const entriesOf = (db: Db, name: string): Collection<{ _id: number }> => db.collection(name);

/** A string that names an entry. */
export const nameOf = ({ collection, id }: EntryKey): string => `${collection} ${id}`;
