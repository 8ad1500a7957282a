import type { CacheKey } from '../../mongo/read/entry-reads.js';
import type { Caller } from '../caller.js';
import type { DocumentsContext } from '../context.js';
import { permittedQuery, read, uncached, type Present, type ReadCache, type ReadRequest } from '../read-operation.js';
import {
  sourcesOf,
  type ReadResponse,
  type ResponseBody,
  type ResponseCache,
  type SerializedResponse,
} from './response-cache.js';
import { withCacheTags, type Tagged } from './with-cache-tags.js';

/** Makes the body of a response of what was read. */
export interface ResponseSerializer {
  /** Distinguishes serializers; undefined: its responses are not cached. */
  readonly name?: string;
  readonly present: Present<ResponseBody>;
}

/**
 * The response to a read, out of the cache if there is one. Those to preview links are not cached.
 * @throws AppError as `read`
 */
export async function respond(
  context: DocumentsContext,
  request: ReadRequest,
  { name, present }: ResponseSerializer,
): Promise<SerializedResponse> {
  const { responseCache } = context;
  const { caller, presenter } = request;
  const isCached = name !== undefined && request.previewed !== true && request.explained !== true;
  if (responseCache === undefined || !isCached) return { body: await read(context, request, present, uncached()) };
  const cache = cachedAs(context, responseCache, `${presenter.name} ${name}`);
  return withCacheTags(context, caller, () => read(context, request, present, cache));
}

/** @param form of the responses */
const cachedAs = (
  { store }: DocumentsContext,
  responses: ResponseCache,
  form: string,
): ReadCache<ResponseBody, SerializedResponse, CacheKey> => ({
  keyOf: (permitted) => store.cacheKey([permitted]),
  get: (key, findAndPresent) =>
    responses.get(key, form, async () => {
      const { result, ids } = await findAndPresent();
      return { body: result, ids };
    }),
});

/** What a presentation makes of a read, with the tags of a response that consists of it. @throws AppError as `read` */
export const readTagged = <R>(
  context: DocumentsContext,
  request: ReadRequest,
  present: Present<R>,
): Promise<Tagged & { readonly result: R }> =>
  withCacheTags(context, request.caller, () => read(context, request, present, withSources<R>(context)));

/** Keeps nothing; the answer says what it depends on, if there are tags to make of that. */
const withSources = <R>({
  store,
  cacheTags,
}: DocumentsContext): ReadCache<R, Tagged & { readonly result: R }, CacheKey | undefined> => ({
  keyOf: async (permitted) => cacheTags && store.cacheKey([permitted]),
  get: async (key, findAndPresent) => {
    const { result, ids } = await findAndPresent();
    return key === undefined ? { result } : { result, sources: () => sourcesOf(key, ids) };
  },
});

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
