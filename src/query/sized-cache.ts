import { LRUCache } from 'lru-cache';
import { heldBytes } from './held-bytes.js';

interface SizedCacheOptions<V> {
  /** What all values hold together at most, with their keys. */
  readonly bytes: number;
  /** The bytes that a value holds. */
  readonly sizeOf: (value: V, key: string) => number;
  /** Milliseconds after which a value is dropped; default: never. */
  readonly ttl?: number;
  /** Called with each value that is dropped or replaced. */
  readonly dispose?: (value: V) => void;
}

/** Bytes of an entry beside its key and its value. */
const OVERHEAD = 200;

/**
 * A cache that is limited by what it holds, however many values and however large: requests choose them. The least
 * recently used are dropped first, and what is larger than the cache is not kept. Other caches need a reason: see
 * tests/security/held-memory.test.ts.
 */
export const createSizedCache = <V extends object | string | number | true>({
  bytes,
  sizeOf,
  ttl = 0,
  ...options
}: SizedCacheOptions<V>): LRUCache<string, V> =>
  new LRUCache<string, V>({
    ...options,
    ttl,
    maxSize: bytes,
    sizeCalculation: (value, key) => Math.ceil(OVERHEAD + heldBytes(key) + sizeOf(value, key)),
  });
