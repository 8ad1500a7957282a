import { affects, type EntryIds } from '../../query/change.js';
import type { Contents, Dependencies } from '../../query/dependencies.js';
import { heldBytes } from '../../query/held-bytes.js';
import { createSizedCache } from '../../query/sized-cache.js';
import { createSingleFlight } from '../coordination/coalesce.js';
import { changesSince, versionText, type TypeVersions } from './versions.js';

/** What a value was computed from. */
export interface Sources {
  /** Read before the value. If that of a type is missing, the value is not cached. */
  readonly versions: TypeVersions;
  readonly dependencies: Dependencies;
  /** Of the entries that the value contains; default: none. */
  readonly ids?: EntryIds;
  /** What it contains of these; default: all. */
  readonly contents?: Contents;
}

interface CacheLimit<V> {
  /** What the values hold at most, with their keys and what they depend on. */
  readonly bytes: number;
  readonly sizeOf: (value: V) => number;
}

/**
 * Writes of the service invalidate values immediately. Changes made directly in the database, and those of a write that
 * failed before it incremented the version, are visible after this time.
 */
const MAX_AGE_MS = 60_000;
const BYTES_OF_ID = 30;
/** Bytes of an object with its version of each content type that it depends on. */
const BYTES_OF_VERSIONED = 400;
const BYTES_OF_VERSION = 200;

interface Versioned<V> extends Pick<Sources, 'dependencies' | 'ids' | 'contents'> {
  /** By content type, the last version for which the value is known to be valid. */
  readonly versions: Map<string, string>;
  readonly value: V;
}

/** Values that are valid until a change affects them; the least recently used are evicted first. */
export function createVersionedCache<V>({ bytes, sizeOf }: CacheLimit<V>) {
  // The dependencies of a query are those of all entries that it reads.
  const shared = createSharedBytes();
  const cache = createSizedCache<Versioned<V>>({
    bytes,
    ttl: MAX_AGE_MS,
    sizeOf: ({ value, ids, versions }) =>
      BYTES_OF_VERSIONED + sizeOf(value) + sizeOfIds(ids) + versions.size * BYTES_OF_VERSION,
    dispose: ({ dependencies, contents }) => shared.remove(dependencies, contents),
  });
  const readOnce = createSingleFlight<V>();
  /** Undefined if none is cached, or a change since its versions affects it. */
  const get = async (key: string, versions: TypeVersions): Promise<V | undefined> => {
    const cached = cache.get(key);
    return cached !== undefined && (await isValid(cached, versions)) ? cached.value : undefined;
  };
  const set = (key: string, { versions, dependencies, ids, contents }: Sources, value: V): void => {
    const valid = new Map<string, string>();
    for (const type of dependencies.keys()) {
      const version = versions.get(type);
      if (version === undefined) return;
      valid.set(type, version.version);
    }
    shared.add(dependencies, contents);
    const kept = { versions: valid, dependencies, value, ...(ids && { ids }), ...(contents && { contents }) };
    // Without its disposal, of what is too large for the cache.
    if (cache.set(key, kept).peek(key) !== kept) shared.remove(dependencies, contents);
    while (cache.calculatedSize + shared.bytes > bytes) cache.pop();
  };
  return {
    get,
    set,
    /** The cached value, or that of `read`, which callers with the same versions share. */
    getOrRead: async (key: string, sources: Sources, read: () => Promise<V>): Promise<V> => {
      const { versions, dependencies } = sources;
      const types = [...dependencies.keys()];
      if (!types.every((type) => versions.has(type))) return read();
      return (
        (await get(key, versions)) ??
        readOnce(`${key} ${versionText(types, versions)}`, async () => {
          const value = await read();
          set(key, sources, value);
          return value;
        })
      );
    },
  };
}

/** Counts what several values refer to, once for all of them. */
function createSharedBytes() {
  const counts = new Map<object, number>();
  let bytes = 0;
  const change = (part: object | undefined, by: 1 | -1): void => {
    if (part === undefined) return;
    const before = counts.get(part) ?? 0;
    const after = before + by;
    if (before === 0 || after === 0) bytes += by * heldBytes(part);
    if (after === 0) counts.delete(part);
    else counts.set(part, after);
  };
  return {
    add: (...parts: readonly (object | undefined)[]): void => parts.forEach((part) => change(part, 1)),
    remove: (...parts: readonly (object | undefined)[]): void => parts.forEach((part) => change(part, -1)),
    get bytes() {
      return bytes;
    },
  };
}

const sizeOfIds = (ids: EntryIds | undefined): number =>
  [...(ids?.values() ?? [])].reduce((sum, { size }) => sum + size * BYTES_OF_ID, 0);

/** Whether no change since the versions that were read before a value affects it. */
export function stillHolds({ versions, ...sources }: Sources, current: TypeVersions): Promise<boolean> {
  const known = [...sources.dependencies.keys()].map((type) => [type, versions.get(type)?.version ?? ''] as const);
  return isValid({ ...sources, versions: new Map(known) }, current);
}

/** Whether no change since the versions of a value affects it. If so, the value gets the current versions. */
async function isValid(
  { versions, dependencies, ids, contents }: Omit<Versioned<unknown>, 'value'>,
  current: TypeVersions,
): Promise<boolean> {
  const unaffected: (readonly [type: string, version: string])[] = [];
  for (const [type, known] of versions) {
    const latest = current.get(type);
    if (latest === undefined) return false;
    if (latest.version === known) continue;
    const decisive = dependencies.get(type) ?? 'all';
    if (decisive === 'all') return false;
    const changes = changesSince(await latest.log(), known);
    if (changes === undefined || changes.some((change) => affects(change, decisive, { ids, contents }))) return false;
    unaffected.push([type, latest.version]);
  }
  for (const [type, version] of unaffected) versions.set(type, version);
  return true;
}
