import { LRUCache } from 'lru-cache';

/** Caches look-ups for a second, so that all processes are equally current. */
export interface TtlCache<K, V> {
  get(key: K): Promise<V>;
  /** Clears the cache after a change in this process. */
  clear(): void;
}

/** Milliseconds. */
const TTL_MS = 1000;

/** Looks each key up at most once a second; concurrent callers share the result. */
export function createTtlCache<K extends string | number, V>(
  max: number,
  load: (key: K) => Promise<V>,
): TtlCache<K, V> {
  const cache = new LRUCache<K, Promise<V>>({ max, ttl: TTL_MS });
  return {
    get: (key) => {
      const cached = cache.get(key);
      if (cached !== undefined) return cached;
      const loading = load(key);
      cache.set(key, loading);
      // Failures are not cached.
      loading.catch(() => cache.get(key) === loading && cache.delete(key));
      return loading;
    },
    clear: () => cache.clear(),
  };
}
