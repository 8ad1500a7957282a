import { isShared } from '../content-types/model/localized.js';
import { AppError } from '../errors/app-error.js';
import type { Explanation } from '../mongo/read/explain-read.js';
import type { CacheKey, EntryQuery, Page } from '../mongo/read/entry-reads.js';
import { both, idIs, type Filter, type Query, type Pagination } from '../query/ast.js';
import { alternativesOf, withoutAlternatives } from '../query/plugin-parameters.js';
import type { EntryPresenter, LazyEntry } from '../query/entry-presenter.js';
import type { ContentType } from '../content-types/model/types.js';
import type { Caller } from './caller.js';
import type { DocumentsContext, EntryRequest } from './context.js';
import type { QueryAction } from './interceptors.js';
import { first, requestedQuery } from './read.js';
import type { ReadContext } from './request-context.js';
import { isTooMuch, shortenedEntry } from './write/shortened-entry.js';
import {
  sourcesOf,
  type ReadResponse,
  type ResponseBody,
  type ResponseCache,
  type SerializedResponse,
} from './response/response-cache.js';

/**
 * One read, which a transport makes once: what is read, for whom, and in which form. It reads a list (`find`), the first entry of a query
 * (`findByKey`, whose filter is the key, and `findSingle`), or the entry with an id.
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

/** Makes the body of a response of what was read. */
export interface ResponseSerializer {
  /** Distinguishes serializers; undefined: its responses are not cached. */
  readonly name?: string;
  readonly present: Present<ResponseBody>;
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

/** Reads what the caller may see. @throws AppError invalidParameter, notFound, tooCostly, unavailable, outOfTime */
export async function read<R>(context: DocumentsContext, request: ReadRequest, present: Present<R>): Promise<R> {
  const permitted = permittedQuery(context, request);
  const page = await findPage(context, permitted, request);
  const explanation = request.explained === true ? await context.store.explain(permitted) : undefined;
  return present({ query: permitted.query, presenter: request.presenter, page, explanation });
}

/**
 * The read of an entry for the response to a write that is about to begin: what cannot be read is refused now, and nothing because of its size
 * later.
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
      return await read(context, entryRead(type, id, request), presentEntry);
    } catch (error) {
      if (!isTooMuch(error)) throw error;
      return shortenedEntry(id, request.presenter);
    }
  };
}

/** @param key of the cached response to the read, if there can be one */
const findPage = (
  { store }: DocumentsContext,
  { query, id }: EntryQuery,
  { signal, bytesRead, mayLag }: ReadRequest,
  key?: CacheKey,
): Promise<Page<LazyEntry>> => store.find(query, { id, signal, bytesRead, mayLag, versions: key?.versions });

/**
 * Adds the tags for caches on the way to the client, if everybody may see the response and it still holds. One that took long to read is
 * compared with the changes since: the purge of a change can reach such a cache before the response. Purges are sent later than that.
 */
async function withCacheTags<R extends Tagged>(
  { store, cacheTags, quickRead }: DocumentsContext,
  caller: Caller,
  read: () => Promise<R>,
): Promise<R> {
  if (cacheTags === undefined || caller.kind !== 'public') return read();
  const started = performance.now();
  const before = store.commonVersions();
  const response = await read();
  const sources = caller.isTimed?.() === true ? undefined : response.sources?.();
  if (sources === undefined) return response;
  const holds = performance.now() - started < quickRead || (await store.stillHolds(sources, await before));
  return holds ? { ...response, cacheTags: response.sharedTags?.() ?? cacheTags(sources) } : response;
}

type Tagged = Pick<SerializedResponse, 'sources' | 'sharedTags' | 'cacheTags'>;

/** What a presentation makes of a read, with the tags of a response that consists of it. @throws AppError as `read` */
export async function readTagged<R>(
  context: DocumentsContext,
  request: ReadRequest,
  present: Present<R>,
): Promise<Tagged & { readonly result: R }> {
  const { caller, presenter } = request;
  const permitted = permittedQuery(context, request);
  return withCacheTags(context, caller, async () => {
    const key = context.cacheTags && (await context.store.cacheKey([permitted]));
    const page = await findPage(context, permitted, request, key);
    const result = present({ query: permitted.query, presenter, page });
    return key === undefined ? { result } : { result, sources: () => sourcesOf(key, page.ids) };
  });
}

/** The response to a read, out of the cache if there is one. Those to preview links are not cached. @throws AppError as `read` */
export async function respond(
  context: DocumentsContext,
  request: ReadRequest,
  { name, present }: ResponseSerializer,
): Promise<SerializedResponse> {
  const { store, responseCache } = context;
  const { caller, presenter } = request;
  const isCached = name !== undefined && request.previewed !== true && request.explained !== true;
  if (responseCache === undefined || !isCached) return { body: await read(context, request, present) };
  const permitted = permittedQuery(context, request);
  return withCacheTags(context, caller, async () => {
    const key = await store.cacheKey([permitted]);
    return responseCache.get(key, `${presenter.name} ${name}`, async () => {
      const page = await findPage(context, permitted, request, key);
      return { body: present({ query: permitted.query, presenter, page }), ids: page.ids };
    });
  });
}

/** A response that a transport makes of several reads; `text` is what it depends on besides these. */
export interface CombinedResponse {
  readonly name: string;
  readonly text: string;
  readonly make: () => Promise<ReadResponse>;
}

/** The response to several reads for one caller, or the cached one. @throws AppError as `read` */
export async function respondTogether(
  context: DocumentsContext,
  responseCache: ResponseCache,
  caller: Caller,
  requests: readonly ReadRequest[],
  { name, text, make }: CombinedResponse,
): Promise<SerializedResponse> {
  const permitted = requests.map((request) => permittedQuery(context, request));
  return withCacheTags(context, caller, async () => {
    const key = await context.store.cacheKey(permitted);
    return responseCache.get({ ...key, key: `${text} ${key.key}` }, name, make);
  });
}

/** The query of a read after the interceptors, which restrict it to what the caller may see. @throws AppError invalidParameter */
function permittedQuery(
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
  const isSame = names.kind === 'comparison' && names.field.kind === 'scalar' && isShared(names.field);
  if (isSame || attribute?.kind !== 'relation') return { ...query, filter: both(query.filter, names) };
  const others: Filter = { kind: 'related', attribute, filter: names, ...(only && { only }) };
  return { ...query, filter: both(query.filter, { kind: 'or', filters: [names, others] }) };
}

/** The `meta` of a list, with `pagination` in the form that the request uses. */
export function pageMeta(
  { total, next }: Pick<Page, 'total' | 'next'>,
  { form, page = 1, start, limit }: Pagination,
): { readonly pagination: object } {
  const after = next !== undefined;
  const bounds = form === 'offset' ? { start, limit } : { page, pageSize: limit };
  const size = form === 'offset' ? { limit } : { pageSize: limit };
  const pages = form === 'page' && total !== undefined ? { pageCount: Math.ceil(total / limit) } : {};
  const counted = total === undefined ? {} : { ...pages, total };
  return { pagination: { ...(after ? size : bounds), ...counted, ...(after && { next }) } };
}

/** As in Strapi v4, an entry that a mutation of GraphQL deletes is returned without relations. */
export const withoutRelations = ({ selection, ...request }: EntryRequest): EntryRequest => ({
  ...request,
  selection: { ...selection, populate: [] },
});
