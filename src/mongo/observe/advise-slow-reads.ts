import type { Query } from '../../query/ast.js';
import { compileQuery } from '../compile/read/compile-query.js';
import { adviseIndex } from '../indexes/advise-index.js';
import type { Store } from '../store.js';

/** The number of different reads about which a process warns. */
const MAX_WARNINGS = 100;

/**
 * A store that warns, once for each advice, of lists that took at least `slow` milliseconds and are read without an
 * index, also of those that were cancelled or failed.
 */
export function adviseSlowReads(store: Store, slow: number, warn: (message: string) => void): Store {
  const warned = new Set<string>();
  const advise = (query: Query, time: number): void => {
    if (warned.size === MAX_WARNINGS) return;
    const advice = adviseIndex(query.type, compileQuery(query).main);
    if (advice === undefined || warned.has(`${query.type.uid} ${advice}`)) return;
    warned.add(`${query.type.uid} ${advice}`);
    warn(`A list of ${query.type.uid} took ${Math.round(time)} ms. ${advice}.`);
  };
  return {
    ...store,
    find: async (query, options) => {
      const start = performance.now();
      try {
        return await store.find(query, options);
      } finally {
        const time = performance.now() - start;
        if (time >= slow && options?.id === undefined) advise(query, time);
      }
    },
  };
}
