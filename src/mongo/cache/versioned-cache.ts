import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ScalarAttribute } from '../../content-types/model/types.js';

/** Values that are each valid for one version of the data; the least recently used are evicted first. */
interface VersionedCache<V> {
  /** Undefined if there is no value for this version. */
  get(key: string, version: string): V | undefined;
  set(key: string, version: string, value: V): void;
}

/** A number of values, or a number of bytes. */
type CacheLimit<V> =
  { readonly values: number } | { readonly bytes: number; readonly sizeOf: (value: V, key: string) => number };

/**
 * Writes of the service invalidate values immediately. Changes made directly in the database, and those of a write that failed
 * before it incremented the version, are visible after this time.
 */
const MAX_AGE_MS = 60_000;

export function createVersionedCache<V>(limit: CacheLimit<V>): VersionedCache<V> {
  interface Versioned {
    readonly version: string;
    readonly value: V;
  }
  const size =
    'values' in limit
      ? { max: limit.values }
      : { maxSize: limit.bytes, sizeCalculation: ({ value }: Versioned, key: string) => limit.sizeOf(value, key) };
  const cache = new LRUCache<string, Versioned>({ ...size, ttl: MAX_AGE_MS });
  return {
    get: (key, version) => {
      const cached = cache.get(key);
      return cached?.version === version ? cached.value : undefined;
    },
    set: (key, version, value) => {
      cache.set(key, { version, value });
    },
  };
}

/** A key for parts of plans, of the same length for all: equal if the parts are, and otherwise different. */
export const planKey = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts, plain)).digest('base64');

/** Values of different types stay different; an attribute is represented by its name. */
function plain(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  const own = this[key];
  if (typeof own === 'bigint') return { bigint: String(own) };
  if (own instanceof Date) return { date: own.getTime() };
  if (own instanceof Map) return [...(own as ReadonlyMap<string, unknown>)];
  return isAttribute(value) ? { attribute: value.name } : value;
}

const isAttribute = (value: unknown): value is ScalarAttribute =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'scalar';
