import type { IdQuery } from '../compile/filter/semi-join.js';
import { createVersionedCache, planKey } from './versioned-cache.js';

/** The versions of content types at one time. */
export interface DataVersion {
  readonly types: readonly string[];
  readonly version: string;
}

/** The ids that precede reads, each list valid for the versions of content types. */
export interface IdCache {
  /** The ids of a query. `read` runs if the cache does not contain them; it starts after the versions were read. */
  get(query: IdQuery, at: DataVersion, read: () => Promise<readonly unknown[]>): Promise<readonly unknown[]>;
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
    get: async ({ collection, pipeline }, { types, version }, read) => {
      const key = planKey(types, collection, pipeline);
      const cached = lists.get(key, version);
      if (cached !== undefined) return cached;
      const ids = await read();
      lists.set(key, version, ids);
      return ids;
    },
  };
}
