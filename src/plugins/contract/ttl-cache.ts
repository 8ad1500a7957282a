import { LRUCache } from 'lru-cache';

/** What was looked up, for a second: so it is as fresh in every process, whoever changed it. */
export interface Memory<K, V> {
  of(key: K): Promise<V>;
  /** Forgets all: something was changed here. */
  forget(): void;
}

/** Milliseconds. */
const REMEMBERED = 1000;

/** Looks each key up at most once a second; who asks meanwhile gets the same answer. */
export function createTtlCache<K extends string | number, V>(most: number, load: (key: K) => Promise<V>): Memory<K, V> {
  const known = new LRUCache<K, Promise<V>>({ max: most, ttl: REMEMBERED });
  return {
    of: (key) => {
      const remembered = known.get(key);
      if (remembered !== undefined) return remembered;
      const loading = load(key);
      known.set(key, loading);
      // A failure is nothing to remember.
      loading.catch(() => known.get(key) === loading && known.delete(key));
      return loading;
    },
    forget: () => known.clear(),
  };
}
