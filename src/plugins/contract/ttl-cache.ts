import { LRUCache } from 'lru-cache';

/** Caches look-ups for a second from their start, so that no process uses what was changed more than a second ago. */
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
  // The time is read for each look-up: a process that is busy does not use an old one for longer.
  const cache = new LRUCache<K, Promise<V>>({ max, ttl: TTL_MS, ttlResolution: 0 });
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
