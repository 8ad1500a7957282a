import type { ContentType } from '../content-types/model/types.js';
import { AppError } from '../errors/app-error.js';
import { both, idIn, withId, type Filter, type Query } from '../query/ast.js';
import { plainEntry } from '../query/entry-presenter.js';
import type { Caller } from './caller.js';
import type { DocumentsContext } from './context.js';
import { draftsAction } from './hide-drafts.js';
import { findIds, first, queryFor } from './read.js';
import type { Conditions } from './write/conditional/conditions.js';

/** The actions that change an entry. */
type ChangingAction = 'update' | 'delete';

/** Which states of an entry exist for a caller who changes it. */
export interface EntryStates {
  /** The entry as it is: published, or a draft. */
  readonly entry: boolean;
  /** The entry as it is prepared. It is the same without a working copy, and for a caller who sees none. */
  readonly latest: boolean;
}

/** Whether a caller sees working copies of a type. To others entries have none, whatever they do. */
export const seesCopies = (type: ContentType, caller: Caller): boolean =>
  type.copies !== undefined && caller.may(draftsAction(type));

/**
 * The conditions on the documents of an entry that a caller changes, which a write asks again of the locked ones: on
 * the entry, and on its working copy, if the caller sees that.
 */
export const stateLimits = (
  { limitOf }: Pick<DocumentsContext, 'limitOf'>,
  type: ContentType,
  action: ChangingAction,
  caller: Caller,
): Conditions => {
  const only = limitOf(type, action, caller);
  return { only, onlyCopy: seesCopies(type, caller) ? only : undefined };
};

/** The query for an entry in one of its states, as a caller finds it who changes it. */
function queryOf(
  context: DocumentsContext,
  type: ContentType,
  action: ChangingAction,
  caller: Caller,
  status: 'draft' | undefined,
): Query {
  const request = { caller, presenter: plainEntry, selection: { fields: [], populate: [] }, status };
  const query = queryFor(context, type, action, request);
  return { ...query, filter: both(query.filter, context.limitOf(type, action, caller)) };
}

const exists = async ({ store }: DocumentsContext, query: Query, id: number): Promise<boolean> =>
  (await store.find(first(withId(query, id)))).entries.length > 0;

/** The one question about the states of an entry, for whatever shows, schedules or restores what it is and was. */
export async function findStates(
  context: DocumentsContext,
  type: ContentType,
  id: number,
  action: ChangingAction,
  caller: Caller,
): Promise<EntryStates> {
  const entry = await exists(context, queryOf(context, type, action, caller, undefined), id);
  if (!seesCopies(type, caller)) return { entry, latest: entry };
  return { entry, latest: await exists(context, queryOf(context, type, action, caller, 'draft'), id) };
}

/**
 * Requires both states of an entry, before a write that concerns both. It reads nothing for callers from whom nothing
 * is hidden: that there is an entry, the write finds.
 * @throws AppError notFound unless both exist for the caller
 */
export async function requireStates(
  context: DocumentsContext,
  type: ContentType,
  id: number,
  action: ChangingAction,
  caller: Caller,
): Promise<void> {
  const statuses = seesCopies(type, caller) ? ([undefined, 'draft'] as const) : [undefined];
  for (const status of statuses) {
    const query = queryOf(context, type, action, caller, status);
    if (query.filter !== undefined && !(await exists(context, query, id))) throw new AppError('notFound');
  }
}

/**
 * The condition on entries that all their states exist for a caller who changes them, as `requireStates` asks of one:
 * for lists that have a page of those that do.
 * @param among few entries, such as those with a request: of these it reads which ones have a working copy that is
 * hidden
 */
export async function whereStatesExist(
  context: DocumentsContext,
  type: ContentType,
  action: ChangingAction,
  caller: Caller,
  among: Filter,
): Promise<Filter> {
  const entry = both(among, queryOf(context, type, action, caller, undefined).filter) ?? among;
  const prepared = seesCopies(type, caller) ? queryOf(context, type, action, caller, 'draft').filter : undefined;
  if (prepared === undefined) return entry;
  const ids = await findIds(context, type, entry);
  const isHidden: Filter = { kind: 'except', filter: prepared };
  const hidden = ids.length === 0 ? [] : await findIds(context, type, both(idIn(ids), isHidden), 'modified');
  return hidden.length === 0 ? entry : { kind: 'and', filters: [entry, { kind: 'except', filter: idIn(hidden) }] };
}
