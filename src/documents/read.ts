import type { Data } from '../config/record.js';
import type { ContentType } from '../content-types/model/types.js';
import { AppError, hasCode } from '../errors/app-error.js';
import type { FindOptions } from '../mongo/read/entry-reads.js';
import type { Store } from '../mongo/store.js';
import { type LazyEntry, plainEntry } from '../query/entry-presenter.js';
import { both, idIn, type Filter, NO_LIMIT, type Query, withId } from '../query/ast.js';
import { stateOfStatus } from '../query/parse/parse-status.js';
import { noValues } from '../query/plugin-parameters.js';
import type { Caller } from './caller.js';
import { emptyQuery, type DocumentsContext, type EntryRequest } from './context.js';
import type { Action } from './interceptors.js';

/** A query for its first entry only. */
export const first = (query: Query): Query =>
  isForOne(query.pagination) ? query : { ...query, pagination: emptyQuery(query.type).pagination };

const isForOne = ({ form, start, limit, withCount, after }: Query['pagination']): boolean =>
  form === 'offset' && start === 0 && limit === 1 && !withCount && after === undefined;

/** The fields that a request for an entry returns, as a query without the id of the entry. */
export const requestedQuery = (
  type: ContentType,
  { selection, parameters = noValues, publicationState, status }: EntryRequest,
): Query => ({
  ...emptyQuery(type),
  ...selection,
  parameters,
  publicationState: status === undefined || type.copies === undefined ? publicationState : stateOfStatus[status],
});

/** The query for what a request for an entry returns, after the interceptors, which refuse it before a write begins. */
export const queryFor = (
  { intercept }: Pick<DocumentsContext, 'intercept'>,
  type: ContentType,
  action: Action,
  request: EntryRequest,
): Query => {
  const { caller, presenter, previewed = false } = request;
  return intercept(requestedQuery(type, request), { action, caller, presenter, previewed });
};

/**
 * Checks that the caller may change this entry, where an interceptor hides some entries from them.
 * @throws AppError notFound
 */
export async function assertVisible(
  context: DocumentsContext,
  { type, filter }: Pick<Query, 'type' | 'filter'>,
  id: number,
): Promise<void> {
  if (filter !== undefined) await findById(context, { ...emptyQuery(type), filter }, id);
}

/** Refuses an entry on which the caller may not execute the action. @throws AppError notFound */
export const requireVisible = (
  context: DocumentsContext,
  type: ContentType,
  id: number,
  caller: Caller,
  action: Action,
): Promise<void> => assertVisible(context, context.intercept(emptyQuery(type), { action, caller }), id);

const findById = async (context: DocumentsContext, query: Query, id: number): Promise<unknown> =>
  (await findEntry(context, query, id))(plainEntry);

/** Finds the entry with this id that matches a query, to be presented more than once. @throws AppError notFound */
export async function findEntry({ store }: DocumentsContext, query: Query, id: number): Promise<LazyEntry> {
  const [entry] = (await store.find(first(withId(query, id)))).entries;
  if (entry === undefined) throw new AppError('notFound');
  return entry;
}

/**
 * Finds the entries with these ids that match a query, without values that another transaction may undo: waits for
 * those that have locked an entry, some seconds at most, or the `patience`. It does not wait for entries that the query
 * does not show: the time would tell its caller of them.
 */
export async function findSettled(
  { transactions, find }: Pick<Store, 'transactions' | 'find'>,
  { type, ...query }: Query,
  ids: readonly number[],
  { patience, ...options }: FindOptions & { readonly patience?: number } = {},
): Promise<readonly LazyEntry[]> {
  const pagination = { form: 'offset', start: 0, limit: NO_LIMIT, withCount: false } as const;
  const wanted = { ...query, type, filter: both(query.filter, idIn(ids)), pagination };
  for (let isUnlocked = transactions.current() === undefined; isUnlocked;) {
    const { entries } = await find(wanted, { ...options, isUnlocked });
    if (entries.length === ids.length) return entries;
    const shown = (await find(wanted, options)).entries.map(idOf);
    if (shown.length <= entries.length) return entries;
    try {
      const keys = shown.map((id) => ({ collection: type.collectionName, id }));
      await transactions.awaitUnlocked(keys, {}, patience);
    } catch (error) {
      if (!hasCode(error, 'conflict')) throw error;
      isUnlocked = false;
    }
  }
  return (await find(wanted, options)).entries;
}

/** The id of an entry that was read. */
export const idOf = (entry: LazyEntry): number => (entry(plainEntry) as { readonly id: number }).id;

/** The ids of all entries that match a filter, as they are; or of those whose working copy does. */
export async function findIds(
  { store }: DocumentsContext,
  type: ContentType,
  filter: Filter | undefined,
  state?: 'modified',
): Promise<readonly number[]> {
  const pagination = { form: 'offset', start: 0, limit: NO_LIMIT, withCount: false } as const;
  const modified = state === 'modified' ? ({ modified: true } as const) : {};
  const { entries } = await store.find({ ...emptyQuery(type), filter, pagination, ...modified });
  return entries.map(idOf);
}

/** The id of a single type's entry; undefined if there is none in this publication state. */
export async function findSingleId(
  { store, intercept }: DocumentsContext,
  type: ContentType,
  publicationState: 'live' | 'preview',
  { caller, parameters = noValues }: Pick<EntryRequest, 'caller' | 'parameters'>,
): Promise<number | undefined> {
  const query = intercept({ ...emptyQuery(type), publicationState, parameters }, { action: 'findSingle', caller });
  const [entry] = (await store.find(query)).entries;
  return (entry?.(plainEntry) as { readonly id: number } | undefined)?.id;
}

/** The locale of an entry of a localized type. @throws AppError notFound */
export async function localeOf(context: DocumentsContext, type: ContentType, id: number): Promise<string | undefined> {
  const field = type.attributes.get('locale');
  if (field?.kind !== 'scalar') return undefined;
  const { locale } = (await findById(context, { ...emptyQuery(type), fields: [field] }, id)) as Data;
  return typeof locale === 'string' ? locale : undefined;
}

/** Whether the entry is a draft. @throws AppError notFound */
export async function isDraft(context: DocumentsContext, type: ContentType, id: number): Promise<boolean> {
  const publishedAt = type.attributes.get('publishedAt');
  const fields = publishedAt?.kind === 'scalar' ? [publishedAt] : [];
  const entry = (await findById(context, { ...emptyQuery(type), fields }, id)) as Data;
  return type.draftAndPublish && entry['publishedAt'] === null;
}
