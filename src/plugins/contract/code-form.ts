import type { Data } from '../../config/record.js';
import type { ContentType } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import type { Query } from '../../query/ast.js';
import type { EntryRequest } from '../../documents/context.js';

/** The methods of a service that knows entries by their documents. */
export type DocumentAction =
  | 'findMany'
  | 'findFirst'
  | 'findOne'
  | 'count'
  | 'create'
  | 'update'
  | 'delete'
  | 'publish'
  | 'unpublish'
  | 'discardDraft'
  | 'clone';

/** A call of code of a project. */
export interface DocumentCall {
  readonly type: ContentType;
  /** As code passes them. */
  readonly params: Data;
  /** Who may be shown less than code, which has all rights: a request that code answers. */
  readonly caller: Caller;
  /** What lifecycle events have changed of what is published. */
  readonly changes?: Data | undefined;
  /** The event of a write. */
  readonly event?: EntryRequest['event'];
}

/**
 * What code of a project gets of a form of the API: its services read and write by the core's queries, as the form
 * itself does.
 */
export interface CodeForm {
  readonly documents: Readonly<Record<DocumentAction, (call: DocumentCall) => Promise<unknown>>>;
  /** The queries for the versions of entries that match a query, in all locales: drafts, then what is published. */
  readonly versions: (query: Query) => readonly Query[];
  /** Refuses what a request of the caller cannot name in a query. @throws AppError */
  readonly checkQuery: (query: Data, type: ContentType, caller: Caller) => void;
  /** Refuses what a request of the caller cannot name in data. @throws AppError */
  readonly checkData: (data: Data, type: ContentType, caller: Caller) => void;
}
