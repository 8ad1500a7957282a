import { createHash } from 'node:crypto';
import { GraphQLError } from 'graphql';
import { bounds } from '../../config/bounds.js';
import { isDeeperThan, isRecord } from '../../config/record.js';
import { AppError } from '../../errors/app-error.js';
import { heldBytes } from '../../query/held-bytes.js';
import { createSizedCache } from '../../query/sized-cache.js';
import type { PersistedQuerySettings, QueryCache } from '../settings.js';

/** The operation of a request or of an item of a batch; `operate` checks the variables. */
export interface GraphqlOperation {
  /** Empty: there is none, or it is sent by its hash in `extensions`. */
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: unknown;
  readonly extensions: unknown;
}

/**
 * Reads an operation from JSON, from the parameters of an address or from a form, as Strapi v4 does: variables and
 * extensions may be JSON once more, and every name is a string.
 * @throws AppError badRequest where, as in Strapi v4, nothing of the whole request is read
 */
export function readOperation(input: unknown): GraphqlOperation {
  const { query, operationName, variables, extensions } = isRecord(input) ? input : {};
  const parsed = parseJson(extensions, 'Extensions');
  if (query && typeof query !== 'string') throw new AppError('badRequest', notString(query));
  return {
    query: typeof query === 'string' ? query : '',
    operationName: nameOf(operationName),
    variables: parseJson(variables, 'Variables'),
    extensions: parsed,
  };
}

/** A name that is not a string is reported as unknown in its string form, which objects may lack. */
function nameOf(name: unknown): string | undefined {
  if (name === undefined || name === null) return undefined;
  return typeof name === 'object' ? '[object Object]' : String(name);
}

/** The error for a query that is not a string; sending the output of `graphql-tag` is a common mistake. */
function notString(query: unknown): string {
  const message = 'GraphQL queries must be strings.';
  if (!isRecord(query) || query['kind'] !== 'Document') return message;
  return `${message} This one is already parsed: send the result of graphql's print()`;
}

/** The value of a JSON string; other values are returned unchanged. */
function parseJson(input: unknown, name: string): unknown {
  if (typeof input !== 'string' || input === '') return input;
  try {
    return JSON.parse(input) as unknown;
  } catch {
    throw new AppError('badRequest', `${name} are invalid JSON.`);
  }
}

/** An error of the request itself; Strapi v4 has this code for all of them. */
export const refuse = (message: string, code = 'INTERNAL_SERVER_ERROR'): GraphQLError =>
  new GraphQLError(message, { extensions: { code } });

/** Why a document or its variables cannot be read. */
export const nestsTooDeep = (): GraphQLError => refuse('The query nests too deep', 'GRAPHQL_PARSE_FAILED');

/** @throws GraphQLError for variables and extensions that nest too deep */
export function checkDepth({ variables, extensions }: GraphqlOperation): void {
  if (isDeeperThan(bounds.variableLevels, [variables, extensions])) throw nestsTooDeep();
}

/** The query of an operation, which may be sent as its hash only. @throws GraphQLError */
type QueryOf = (operation: GraphqlOperation) => Promise<string>;

const NO_QUERY = 'GraphQL operations must contain a non-empty `query` or a `persistedQuery` extension.';

/** Bytes of all queries that are known by their hashes. */
const CACHE_BYTES = 8 * 2 ** 20;

/** Apollo's automatic persisted queries: a client sends a hash, and adds the query if the hash is unknown. */
export function createQueryCache(settings: PersistedQuerySettings | undefined): QueryOf {
  const cache = settings?.cache ?? inMemory();
  return async ({ query, extensions }) => {
    const persistedQuery = isRecord(extensions) ? extensions['persistedQuery'] : undefined;
    if (persistedQuery === undefined) {
      if (query === '') throw refuse(NO_QUERY);
      return query;
    }
    if (settings === undefined) throw refuse('PersistedQueryNotSupported', 'PERSISTED_QUERY_NOT_SUPPORTED');
    if (!isRecord(persistedQuery) || persistedQuery['version'] !== 1)
      throw refuse('Unsupported persisted query version');
    const { sha256Hash: hash } = persistedQuery;
    if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) throw refuse('sha256Hash must be 64 digits');
    const key = `apq:${hash}`;
    if (query === '') {
      const cached = await cache.get(key);
      if (cached === undefined) throw refuse('PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND');
      return cached;
    }
    if (createHash('sha256').update(query).digest('hex') !== hash) throw refuse('provided sha does not match query');
    await cache.set(key, query, settings.ttl === undefined ? {} : { ttl: settings.ttl });
    return query;
  };
}

function inMemory(): QueryCache {
  const cached = createSizedCache<string>({
    bytes: CACHE_BYTES,
    sizeOf: heldBytes,
  });
  return {
    get: async (key) => cached.get(key),
    // Seconds, as Apollo's caches have them.
    set: async (key, query, { ttl } = {}) => cached.set(key, query, ttl ? { ttl: ttl * 1000 } : {}),
  };
}
