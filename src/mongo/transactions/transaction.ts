import type { Document } from 'mongodb';
import type { Change } from '../../query/change.js';
import type { EntryKey } from './format.js';
import type { AfterStep } from './steps.js';

/** An entry that a transaction changes. */
export interface LoggedKey extends EntryKey {
  /** Of its content type, whose caches have to know. */
  readonly uid?: string;
}

/** A step of a transaction that changes one entry; the fields are those at the top level. */
export type EntryChange = LoggedKey &
  (
    | { readonly kind: 'insert'; readonly document: Document }
    | { readonly kind: 'update'; readonly fields: FieldChanges }
    /** The entry is removed when the transaction is committed; until then it keeps its unique values. */
    | { readonly kind: 'remove' }
  );

/** New values by field; undefined removes the field. */
export type FieldChanges = ReadonlyMap<string, unknown>;

/**
 * Changes of several entries of which all happen, or none. It ends with `commit` or `abort`; if its process dies before that, other processes
 * abort it. Calls of `lock` and `apply` follow each other, see `inTurn`, except those that insert one entry: these share commands.
 */
export interface Transaction {
  readonly id: string;
  /**
   * Open, or how it ended; `failed`: part of a statement was refused after another part was applied, so it can only be aborted; `unclear`: the commit
   * had no answer, and this process finds out soon.
   */
  readonly state: 'open' | 'failed' | 'committed' | 'aborted' | 'unclear';
  /** Records it before its first lock or change. */
  begin(): Promise<void>;
  /**
   * Locks entries that it will read or change, and returns them as the transaction finds them, in the order of the keys; undefined: there is no such
   * entry, or this transaction removes it. Waits for other transactions. Numbers keep their types (`Int32`, `Double`, `Long`).
   * @throws Locked if that takes too long; AppError unavailable
   */
  lock(keys: readonly EntryKey[]): Promise<readonly (Document | undefined)[]>;
  /**
   * Locks and logs entries that it will change, and logs the names of those that it will create, with fewer commands than one change after the
   * other needs. @throws as `lock`
   */
  lockToChange(keys: readonly LoggedKey[], created: readonly LoggedKey[]): Promise<void>;
  /**
   * Logs and applies changes of entries that it has locked, and inserts of new ones, in this order. If the first one is refused, nothing has changed.
   * @throws the driver's error, see `duplicateOf`; Locked if another process has aborted the transaction; AppError unavailable
   */
  apply(changes: readonly EntryChange[]): Promise<void>;
  /** The entries of a collection that this transaction has removed. */
  removed(collection: string): readonly number[];
  /** Adds steps that follow the commit, and what the caches of all processes have to know then. */
  after(steps: readonly AfterStep[], changes?: readonly Change[]): void;
  /** Statements follow each other, even if they are begun at the same time. */
  inTurn<T>(statement: () => Promise<T>): Promise<T>;
  /** Runs work after the commit, in order, or after the abort, in reverse. These throw the first error of this work, after all of it. */
  onCommit(work: () => unknown): void;
  onAbort(work: () => unknown): void;
  /**
   * Makes everything happen. When it resolves, all steps are done and no lock is left.
   * @throws Locked if another process has aborted it; AppError unavailable if the outcome is not known: it is found out soon; what follows it
   */
  commit(): Promise<void>;
  /** Undoes everything. It does nothing after the end. Errors are repaired soon. @throws what follows it */
  abort(): Promise<void>;
}
