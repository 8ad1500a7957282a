import type { Pagination } from '../../query/ast.js';
import type { Plan } from '../compile/plan.js';
import type { PageRead } from '../read/execute-read.js';
import { planKey, createVersionedCache } from './versioned-cache.js';

/** Totals by content type and filter, valid for the versions of the types involved, and for later ones if no write between them affects it. */
export interface CountCache {
  /** The number of entries on all pages. `count` runs if neither the page nor the cache contains it. */
  get(plan: Plan, page: PageRead, pagination: Pagination, count: () => Promise<number>): Promise<number>;
}

const CACHE_SIZE = 10_000;

export function createCountCache(): CountCache {
  const totals = createVersionedCache<number>({ values: CACHE_SIZE });
  return {
    get: async (
      { count: { collection, filter, dependencies }, before },
      { entries, versions },
      { start, limit, after = [] },
      count,
    ) => {
      const isLast = after.length === 0 && entries.length < limit && (entries.length > 0 || start === 0);
      if (isLast) return start + entries.length;
      if (versions === undefined) return count();
      return totals.getOrRead(planKey(collection, filter, before), { versions, dependencies }, count);
    },
  };
}
