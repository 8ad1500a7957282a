import type { IdQuery } from '../compile/filter/semi-join.js';
import { planKey } from './plan-key.js';
import { createVersionedCache } from './versioned-cache.js';
import type { TypeVersions } from './versions.js';

const LISTS_BYTES = 2 ** 24;
const BYTES_OF_LISTED_ID = 8;

/** The ids that precede reads, each list valid for the version of its content type. */
export function createIdCache() {
  const lists = createVersionedCache<readonly unknown[]>({
    bytes: LISTS_BYTES,
    sizeOf: (ids) => ids.length * BYTES_OF_LISTED_ID,
  });
  return {
    /**
     * The ids of a query. `read` runs if the cache does not contain them, or if they depend on more than one content
     * type; it starts after the versions were read.
     */
    get: async (
      { collection, pipeline, type }: IdQuery,
      versions: TypeVersions,
      read: () => Promise<readonly unknown[]>,
    ): Promise<readonly unknown[]> =>
      type === undefined
        ? read()
        : lists.getOrRead(planKey(collection, pipeline), { versions, dependencies: new Map([[type, 'all']]) }, read),
  };
}

export type IdCache = ReturnType<typeof createIdCache>;
