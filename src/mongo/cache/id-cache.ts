import type { IdQuery } from '../compile/filter/semi-join.js';
import type { TypeVersions } from './versions.js';
import { createVersionedCache, planKey } from './versioned-cache.js';

/** Ids that depend on one content type only. */
type CacheableIds = IdQuery & { readonly type: string };

export const isCacheable = (query: IdQuery): query is CacheableIds => query.type !== undefined;

/** The ids that precede reads, each list valid for the version of its content type. */
export interface IdCache {
  /** The ids of a query. `read` runs if the cache does not contain them; it starts after the versions were read. */
  get(
    query: CacheableIds,
    versions: TypeVersions,
    read: () => Promise<readonly unknown[]>,
  ): Promise<readonly unknown[]>;
}

const MAX_BYTES = 2 ** 24;
const BYTES_OF_ID = 8;
/** Bytes of a list in addition to its ids: key, version and their objects. */
const OVERHEAD = 600;

export function createIdCache(): IdCache {
  const lists = createVersionedCache<readonly unknown[]>({
    bytes: MAX_BYTES,
    sizeOf: (ids) => OVERHEAD + ids.length * BYTES_OF_ID,
  });
  return {
    get: async ({ collection, pipeline, type }, versions, read) =>
      lists.getOrRead(planKey(collection, pipeline), { versions, dependencies: new Map([[type, 'all']]) }, read),
  };
}
