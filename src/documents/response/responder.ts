import type { TypeVersions } from '../../mongo/cache/version-log.js';
import type { Store } from '../../mongo/store.js';
import type { Query } from '../../query/ast.js';
import type { ReadContext } from '../request-context.js';
import type { ReadResponse, ResponseCache, ResponseSerializer, SerializedResponse } from './response-cache.js';

/**
 * The response that `read` makes of these queries, or the cached one.
 * @param text what the response depends on besides the queries
 * @param read can use the versions of the types, which were read before it
 * @param isEntry see `CompiledQueries`
 */
export type Respond = (
  text: string,
  queries: readonly Query[],
  serializer: Pick<ResponseSerializer, 'name'>,
  read: (versions: TypeVersions) => Promise<ReadResponse>,
  isEntry?: boolean,
) => Promise<SerializedResponse>;

/** Responses to queries that passed the interceptors. */
interface Responder {
  /** Undefined without a cache. */
  readonly respond: Respond | undefined;
  /**
   * The response to one query. Those to preview links are not cached.
   * @param id of the only entry that is read
   */
  readonly readSerialized: (
    query: Query,
    request: ReadContext,
    serializer: ResponseSerializer,
    id?: number,
  ) => Promise<SerializedResponse>;
}

export function createResponder(
  store: Pick<Store, 'cacheKey' | 'find' | 'findById'>,
  cache: ResponseCache | undefined,
): Responder {
  const respond: Respond | undefined =
    cache &&
    (async (text, queries, serializer, read, isEntry) => {
      const identity = await store.cacheKey(queries, isEntry);
      return cache.get({ ...identity, key: `${text} ${identity.key}` }, serializer, () => read(identity.versions));
    });
  const readSerialized: Responder['readSerialized'] = async (query, request, serializer, id) => {
    const read = async (versions?: TypeVersions): Promise<ReadResponse> => {
      const options = { ...request, versions };
      const page = await (id === undefined ? store.find(query, options) : store.findById(query, id, options));
      return { body: serializer.serialize(page, query), ids: page.ids };
    };
    if (respond === undefined || request.previewed === true) return { body: (await read()).body };
    return respond(id === undefined ? '' : String(id), [query], serializer, read, id !== undefined);
  };
  return { respond, readSerialized };
}
