import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { isRecord } from '../../content-types/model/settings-schema.js';
import type { PersistedQuerySettings, QueryCache } from '../server-settings.js';
import { refuse, type Operation } from './operation.js';

/** The query of an operation, which may be sent as its hash only. @throws GraphQLError */
export type QueryOf = (operation: Operation) => Promise<string>;

const NO_QUERY = 'GraphQL operations must contain a non-empty `query` or a `persistedQuery` extension.';

/** Characters of all cached queries. */
const CACHE_SIZE = 4_000_000;

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
      const found = await cache.get(key);
      if (found === undefined) throw refuse('PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND');
      return found;
    }
    if (createHash('sha256').update(query).digest('hex') !== hash) throw refuse('provided sha does not match query');
    await cache.set(key, query, settings.ttl === undefined ? {} : { ttl: settings.ttl });
    return query;
  };
}

function inMemory(): QueryCache {
  const cached = new LRUCache<string, string>({ maxSize: CACHE_SIZE, sizeCalculation: (query) => query.length });
  return {
    get: async (key) => cached.get(key),
    // Seconds, as Apollo's caches have them.
    set: async (key, query, { ttl } = {}) => cached.set(key, query, ttl ? { ttl: ttl * 1000 } : {}),
  };
}
