import type { Pagination } from '../../query/ast.js';
import type { ReadPlan } from '../compile/plan.js';
import { planKey } from './plan-key.js';
import { createVersionedCache } from './versioned-cache.js';
import type { TypeVersions } from './versions.js';

/** The page that was read with its total, and the versions before. */
interface CountedPage {
  readonly entries: readonly unknown[];
  readonly versions: TypeVersions | undefined;
}

const TOTALS_BYTES = 2 ** 23;
const BYTES_OF_TOTAL = 8;

/**
 * Totals by content type and filter, valid for the versions of the types involved, and for later ones if no write
 * between them affects it.
 */
export function createCountCache() {
  const totals = createVersionedCache<number>({ bytes: TOTALS_BYTES, sizeOf: () => BYTES_OF_TOTAL });
  return {
    /** The number of entries on all pages. `count` runs if neither the page nor the cache contains it. */
    get: async (
      { count: { collection, copies, filter, dependencies }, before }: ReadPlan,
      { entries, versions }: CountedPage,
      { start, limit, after = [] }: Pagination,
      count: () => Promise<number>,
    ): Promise<number> => {
      const isLast = after.length === 0 && entries.length < limit && (entries.length > 0 || start === 0);
      if (isLast) return start + entries.length;
      if (versions === undefined) return count();
      return totals.getOrRead(
        planKey(collection, filter, before, ...(copies === undefined ? [] : [copies])),
        { versions, dependencies },
        count,
      );
    },
  };
}
