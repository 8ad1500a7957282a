import { isShared } from '../content-types/model/localized.js';
import { AppError } from '../errors/app-error.js';
import type { Explanation } from '../mongo/read/explain-read.js';
import type { CacheKey, EntryQuery, Page } from '../mongo/read/entry-reads.js';
import { both, idIs, isList, NO_LIMIT, type Filter, type Query, type Pagination } from '../query/ast.js';
import { alternativesOf, withoutAlternatives } from '../query/plugin-parameters.js';
import type { EntryPresenter, LazyEntry } from '../query/entry-presenter.js';
import type { ContentType } from '../content-types/model/types.js';
import type { DocumentsContext, EntryRequest } from './context.js';
import type { QueryAction } from './interceptors.js';
import { first, requestedQuery } from './read.js';
import type { ReadContext } from './request-context.js';
import { isTooMuch, shortenedEntry } from './write/shortened-entry.js';

/**
 * One read, which a transport makes once: what is read, for whom, and in which form. It reads a list (`find`), the
 * first entry of a query (`findByKey`, whose filter is the key, and `findSingle`), or the entry with an id.
 */
export type ReadRequest = ReadContext & {
  /** Of the entry with an id: without the id. */
  readonly query: Query;
  readonly presenter: EntryPresenter;
  /** The result has the commands and their execution plans too. */
  readonly explained?: boolean;
} & ({ readonly action: QueryAction } | { readonly action: 'findOne'; readonly id: number });

/** What was read. */
export interface ReadResult extends Pick<ReadRequest, 'query' | 'presenter'> {
  readonly page: Page<LazyEntry>;
  readonly explanation?: Explanation | undefined;
}

/** Makes a value of what was read. @throws AppError notFound for an entry that does not exist, tooCostly */
export type Present<R> = (result: ReadResult) => R;

/** A result of a read, and the ids of the entries in it. */
export interface Presented<R> {
  readonly result: R;
  readonly ids: Page['ids'] | undefined;
}

/** What has the answer to a read already, or makes one of its result. */
export interface ReadCache<R, Answer, Key extends CacheKey | undefined> {
  /** Identifies the result; undefined: nothing keeps it. */
  readonly keyOf: (permitted: EntryQuery) => Promise<Key>;
  readonly get: (key: Key, findAndPresent: () => Promise<Presented<R>>) => Promise<Answer>;
}

/** Keeps nothing: the answer is the result. */
export const uncached = <R>(): ReadCache<R, R, undefined> => ({
  keyOf: async () => undefined,
  get: async (_key, findAndPresent) => (await findAndPresent()).result,
});

/**
 * A read, from what its caller requests to its answer.
 * @throws AppError invalidParameter, notFound, tooCostly, unavailable, outOfTime
 */
export async function read<R, Answer, Key extends CacheKey | undefined>(
  context: DocumentsContext,
  request: ReadRequest,
  present: Present<R>,
  cache: ReadCache<R, Answer, Key>,
): Promise<Answer> {
  const permitted = permittedQuery(context, request);
  const key = await cache.keyOf(permitted);
  return cache.get(key, async () => {
    const found = await find(context, permitted, request, key);
    return { result: present(found), ids: found.page.ids };
  });
}

/** @param key of the result, if it has one */
async function find(
  { store }: DocumentsContext,
  { query, id }: EntryQuery,
  { signal, bytesRead, mayLag, explained, presenter }: ReadRequest,
  key: CacheKey | undefined,
): Promise<ReadResult> {
  const page = await store.find(query, { id, signal, bytesRead, mayLag, versions: key?.versions });
  const explanation = explained === true ? await store.explain({ query, id }) : undefined;
  return { query, presenter, page, explanation };
}

/** A list with its entries presented. */
export const presentList: Present<Page> = ({ page, presenter }) => ({
  ...page,
  entries: page.entries.map((entry) => entry(presenter)),
});

/** The first entry. */
export const presentEntry: Present<unknown> = ({ page: { entries }, presenter }) => {
  const [entry] = entries;
  if (entry === undefined) throw new AppError('notFound');
  return entry(presenter);
};

/** The read of the entry with an id, as a request for one entry selects and presents it. */
export const entryRead = (type: ContentType, id: number, request: EntryRequest): ReadRequest => {
  const { caller, signal, bytesRead, mayLag, previewed, presenter } = request;
  const context = { caller, signal, bytesRead, ...(mayLag && { mayLag }), ...(previewed && { previewed }) };
  return { ...context, action: 'findOne', query: requestedQuery(type, request), id, presenter };
};

/**
 * The read of an entry for the response to a write that is about to begin: what cannot be read is refused now, and
 * nothing because of its size later.
 * @throws AppError invalidParameter, tooCostly
 */
export function readAfterWrite(
  context: DocumentsContext,
  type: ContentType,
  request: EntryRequest,
): (id: number) => Promise<unknown> {
  context.store.assertReadable(permittedQuery(context, entryRead(type, 0, request)));
  return async (id) => {
    try {
      return await read(context, entryRead(type, id, request), presentEntry, uncached());
    } catch (error) {
      if (!isTooMuch(error)) throw error;
      return shortenedEntry(id, request.presenter);
    }
  };
}

/**
 * The query of a read after the interceptors, which restrict it to what the caller may see.
 * @throws AppError invalidParameter
 */
export function permittedQuery(
  { intercept, limitOf }: Pick<DocumentsContext, 'intercept' | 'limitOf'>,
  request: ReadRequest,
): EntryQuery {
  const { query, action, caller, presenter, previewed = false } = request;
  const { type } = query;
  const canReplace = alternativesOf(query) !== undefined;
  const by = { action, caller, presenter, previewed };
  // A preview link shows the entry that it names.
  if (request.action === 'findOne' && previewed)
    return { query: intercept(withoutAlternatives(query), by), id: request.id };
  // It also refuses a key that the caller may not filter by.
  const permitted = intercept(query, by);
  switch (request.action) {
    case 'find':
      return { query: permitted };
    case 'findSingle':
      return { query: first(permitted) };
    case 'findOne':
      if (!canReplace) return { query: permitted, id: request.id };
      return { query: orAlternative(permitted, idIs(request.id), limitOf(type, 'findOne', caller)) };
    case 'findByKey': {
      if (!canReplace || query.filter === undefined) return { query: first(permitted) };
      const isLive = type.draftAndPublish && query.publicationState !== 'preview';
      const only = both(limitOf(type, 'findByKey', caller), isLive ? { kind: 'live' } : undefined);
      return { query: first(orAlternative(intercept({ ...query, filter: undefined }, by), query.filter, only)) };
    }
    default:
      return request satisfies never;
  }
}

/**
 * A query for the entry that a condition names and its alternatives, of which the sort of the query selects one.
 * @param only the entries that the condition can name
 */
function orAlternative(query: Query, names: Filter, only: Filter | undefined): Query {
  const attribute = query.type.attributes.get(alternativesOf(query) ?? '');
  const isSame = names.kind === 'comparison' && names.field.kind === 'scalar' && isShared(names.field, query.type);
  if (isSame || attribute?.kind !== 'relation') return { ...query, filter: both(query.filter, names) };
  const others: Filter = { kind: 'related', attribute, filter: names, ...(only && { only }) };
  return { ...query, filter: both(query.filter, { kind: 'or', filters: [names, others] }) };
}

/** The `meta` of a list, with `pagination` in the form that the request uses. */
export function pageMeta(
  { total, next }: Pick<Page, 'total' | 'next'>,
  { form, page = 1, start, limit: size }: Pagination,
): { readonly pagination: object } {
  // As in Strapi v4, all entries are -1.
  const limit = size === NO_LIMIT && form === 'offset' ? -1 : size;
  const after = next !== undefined;
  const bounds = form === 'offset' ? { start, limit } : { page, pageSize: limit };
  const length = form === 'offset' ? { limit } : { pageSize: limit };
  const pages = form === 'page' && total !== undefined ? { pageCount: Math.ceil(total / limit) } : {};
  const counted = total === undefined ? {} : { ...pages, total };
  return { pagination: { ...(after ? length : bounds), ...counted, ...(after && { next }) } };
}

/**
 * What the working copies in an answer change, by the ids of their entries: of the attributes that the query shows.
 * Nothing if there are none.
 */
export function changesMeta({ page: { copies }, query }: Pick<ReadResult, 'page' | 'query'>): object {
  if (copies === undefined || copies.size === 0 || query.type.hasStatus !== true) return {};
  const shown = new Set([...query.fields, ...query.populate.map(({ attribute }) => attribute)].map(({ name }) => name));
  const changes = [...copies].map(([id, names]) => [String(id), names.filter((name) => shown.has(name))] as const);
  return { changes: Object.fromEntries(changes) };
}

/** The keys of groups that an entry can have several values for, so that it counts in several groups. */
export const overlappingKeys = ({ aggregate }: Pick<Query, 'aggregate'>): readonly string[] =>
  aggregate?.keys.flatMap(({ name, path }) => (path.through.some(isList) ? [name] : [])) ?? [];

/** The `meta` of groups with such keys. */
export function overlapMeta(query: Pick<Query, 'aggregate'>): object {
  const names = overlappingKeys(query);
  return names.length === 0 ? {} : { overlapping: names };
}

/** As in Strapi v4, an entry that a mutation of GraphQL deletes is returned without relations. */
export const withoutRelations = ({ selection, ...request }: EntryRequest): EntryRequest => ({
  ...request,
  selection: { ...selection, populate: [] },
});
