import type { Pagination } from '../../query/ast.js';
import type { Plan } from '../compile/plan.js';
import type { PageRead } from '../read/execute-read.js';
import { memoize } from '../../query/memoize.js';
import type { TypeVersions } from './version-log.js';
import { planKey, createVersionedCache, type Sources } from './versioned-cache.js';

/** Totals by content type and filter, valid for the versions of the types involved, and for later ones if no write between them affects it. */
export interface CountCache {
  /** The number of entries on all pages. `count` runs if neither the page nor the cache contains it. */
  get(plan: Plan, page: PageRead, pagination: Pagination, count: () => Promise<number>): Promise<number>;
  /** Undefined if no total is cached. */
  find(plan: Plan, versions: TypeVersions): Promise<number | undefined>;
  /** @param versions read before the total */
  set(plan: Plan, versions: TypeVersions, total: number): void;
}

const CACHE_SIZE = 10_000;

export function createCountCache(): CountCache {
  const totals = createVersionedCache<number>({ values: CACHE_SIZE });
  const keyOf = memoize(({ count, before }: Plan) => planKey(count.collection, count.filter, before));
  const sourcesOf = ({ count: { dependencies } }: Plan, versions: TypeVersions): Sources => ({
    versions,
    dependencies,
  });
  return {
    find: (plan, versions) => totals.get(keyOf(plan), versions),
    set: (plan, versions, total) => totals.set(keyOf(plan), sourcesOf(plan, versions), total),
    get: async (plan, { entries, versions }, { start, limit, after = [] }, count) => {
      const isLast = after.length === 0 && entries.length < limit && (entries.length > 0 || start === 0);
      if (isLast) return start + entries.length;
      if (versions === undefined) return count();
      return totals.getOrRead(keyOf(plan), sourcesOf(plan, versions), count);
    },
  };
}
