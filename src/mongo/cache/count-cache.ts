import { LRUCache } from 'lru-cache';
import type { Pagination } from '../../query/ast.js';
import type { Plan } from '../compile/plan.js';
import type { PageRead } from '../read/execute-read.js';

/** Remembers totals by content type, filter and the versions of the types involved; the least used go first. */
export interface CountCache {
  /** The number of entries in all pages. `count` runs when neither the page nor memory tells. */
  of(plan: Plan, page: PageRead, pagination: Pagination, count: () => Promise<number>): Promise<number>;
}

const REMEMBERED = 10_000;

/** Milliseconds. What a process wrote that died before it raised the version is seen after this time. */
const OLDEST = 60_000;

export function createCountCache(): CountCache {
  const totals = new LRUCache<string, { readonly version: string; readonly total: number }>({
    max: REMEMBERED,
    ttl: OLDEST,
  });
  return {
    of: async (plan, { entries, version }, { start, limit, after = [] }, count) => {
      const endsHere = after.length === 0 && entries.length < limit && (entries.length > 0 || start === 0);
      if (endsHere) return start + entries.length;
      const key = keyOf(plan);
      const known = totals.get(key);
      if (known !== undefined && known.version === version) return known.total;
      const total = await count();
      if (version !== undefined) totals.set(key, { version, total });
      return total;
    },
  };
}

const keyOf = ({ before, count }: Plan): string =>
  JSON.stringify([count.collection, count.filter, before], (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
