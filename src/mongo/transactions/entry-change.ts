import type { Document } from 'mongodb';
import type { EntryKey } from './format.js';

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
