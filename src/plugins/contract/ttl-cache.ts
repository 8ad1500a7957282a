import { LRUCache } from 'lru-cache';

/** Milliseconds. */
const TTL_MS = 1000;

/**
 * Looks each key up at most once a second, so that no process uses what was changed more than a second ago; concurrent
 * callers share the result.
 */
export function createTtlCache<K extends string | number, V>(max: number, load: (key: K) => Promise<V>) {
  // The time is read for each look-up: a process that is busy does not use an old one for longer.
  const cache = new LRUCache<K, Promise<V>>({ max, ttl: TTL_MS, ttlResolution: 0 });
  return {
    get: (key: K): Promise<V> => {
      const cached = cache.get(key);
      if (cached !== undefined) return cached;
      const loading = load(key);
      cache.set(key, loading);
      // Failures are not cached.
      loading.catch(() => cache.get(key) === loading && cache.delete(key));
      return loading;
    },
    /** After a change in this process. */
    clear: (): void => cache.clear(),
  };
}
