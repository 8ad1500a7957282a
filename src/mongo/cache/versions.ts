/**
 * How cached results stay valid: each content type has a version, which every write increments, and a log of what the last writes changed.
 *
 * A result is cached with the versions of its types, which are read before it, and with what it depends on. When it is requested again:
 * 1. If the versions are still the same, it is valid.
 * 2. If not, and no change that the log has since its version affects it, it is valid for the current version too.
 * 3. If one does, or the log does not reach back to its version, it is read again.
 *
 * The only service on a database has its versions and logs in memory (`ownVersions`); several share those in the database
 * (`stored-versions.ts`). `src/query/change.ts` has what a write changes and which results that affects, `src/query/dependencies.ts` what a
 * result depends on; `createVersionedCache` keeps the results.
 */
import { type Change, affects, type EntryIds } from '../../query/change.js';
import { groupBy } from '../../config/group-by.js';
import { createHash } from 'node:crypto';
import type { ScalarAttribute } from '../../content-types/model/types.js';
import type { Contents, Dependencies } from '../../query/dependencies.js';
import { heldBytes } from '../../query/held-bytes.js';
import { createSizedCache } from '../../query/sized-cache.js';
import { createSingleFlight } from '../coordination/coalesce.js';
import type { Pagination } from '../../query/ast.js';
import type { Plan } from '../compile/plan.js';
import type { IdQuery } from '../compile/filter/semi-join.js';

export interface Versions {
  /** The versions of the types, and perhaps of others, at some time after the call. @throws AppError unavailable, outOfTime */
  readonly read: (types: readonly string[]) => Promise<TypeVersions>;
  /**
   * Increments the versions of the changed types, and those whose earlier increment failed: after a write is applied and before it is
   * acknowledged.
   */
  readonly raise: (changes: readonly Change[]) => Promise<void>;
}

/** Versions by the uids of content types. */
export type TypeVersions = ReadonlyMap<string, TypeVersion>;

/** The version of a content type. */
export interface TypeVersion {
  readonly version: string;
  /** A log that contains this version, and perhaps later ones. @throws AppError unavailable, outOfTime */
  readonly log: () => Promise<VersionLog>;
}

/** Successive versions of a content type, the oldest first. */
export type VersionLog = readonly LoggedVersion[];

interface LoggedVersion {
  readonly version: string;
  /** What the write that led to this version changed; undefined: it may be anything. */
  readonly changes: readonly Change[] | undefined;
}

/** A write that changes more entries is logged as a change of anything. */
const MAX_CHANGES = 16;

/** What the log has of a write: its changes, or undefined if they are too many or not of single entries. */
export const loggedChanges = (changes: readonly Change[]): readonly Change[] | undefined =>
  changes.length <= MAX_CHANGES && changes.every(({ id }) => id !== undefined) ? changes : undefined;

/** The changes after a version; undefined if the log does not have all of them. */
export function changesSince(log: VersionLog, version: string): readonly Change[] | undefined {
  const index = log.findLastIndex((logged) => logged.version === version);
  if (index < 0) return undefined;
  const changes: Change[] = [];
  for (const logged of log.slice(index + 1)) {
    if (logged.changes === undefined) return undefined;
    changes.push(...logged.changes);
  }
  return changes;
}

/** The versions of these types as one string. */
export const versionText = (types: Iterable<string>, versions: TypeVersions): string =>
  [...types].map((type) => versions.get(type)?.version).join(' ');

/** Milliseconds after which the stored versions, which commands such as `import` increment, are read again. */
const STORED_MS = 1000;
/** Versions in the log of a type. */
const LOGGED = 1024;

/** The version of a content type has two parts. */
interface OwnVersion {
  /** Incremented by commands. */
  readonly stored: string;
  /** Incremented by this service. */
  readonly own: number;
  /** Since the last increment by a command, of which it is not known what it changed. */
  readonly log: VersionLog;
}

/**
 * The versions of the only service on a database, in memory. Stored versions, which only commands increment then, are read at most once a
 * second: for so long, cached results can lack what a command wrote.
 */
export function ownVersions(database: Pick<Versions, 'read'>): Versions {
  const versions = new Map<string, OwnVersion>();
  let stored = new Map<string, Promise<TypeVersions>>();
  let readAt = -Infinity;
  const readStored = (types: readonly string[]): Promise<TypeVersions> => {
    if (performance.now() - readAt > STORED_MS) {
      stored = new Map();
      readAt = performance.now();
    }
    const key = types.join(' ');
    const read = stored.get(key) ?? database.read(types);
    stored.set(key, read);
    return read;
  };
  const versionOf = (type: string): OwnVersion => versions.get(type) ?? begin('', 0);
  return {
    read: async (types) => {
      const read = await readStored(types);
      return new Map(
        types.map((type) => {
          const version = read.get(type)?.version ?? '';
          const last = versionOf(type);
          const current = last.stored === version ? last : begin(version, last.own);
          versions.set(type, current);
          return [type, { version: textOf(current), log: async () => current.log }];
        }),
      );
    },
    raise: async (changes) => {
      for (const [type, ofType] of groupBy(changes, ({ type }) => type)) {
        const { stored: version, own, log } = versionOf(type);
        const next = { stored: version, own: own + 1 };
        const logged = { version: textOf(next), changes: loggedChanges(ofType) };
        versions.set(type, { ...next, log: [...log, logged].slice(-LOGGED) });
      }
    },
  };
}

const textOf = ({ stored, own }: Omit<OwnVersion, 'log'>): string => `${stored}+${own}`;

const begin = (stored: string, own: number): OwnVersion => ({
  stored,
  own,
  log: [{ version: textOf({ stored, own }), changes: undefined }],
});

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
 * Writes of the service invalidate values immediately. Changes made directly in the database, and those of a write that failed
 * before it incremented the version, are visible after this time.
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

/** The page that was read with its total, and the versions before. */
interface CountedPage {
  readonly entries: readonly unknown[];
  readonly versions: TypeVersions | undefined;
}

const TOTALS_BYTES = 2 ** 23;
const BYTES_OF_TOTAL = 8;

/** Totals by content type and filter, valid for the versions of the types involved, and for later ones if no write between them affects it. */
export function createCountCache() {
  const totals = createVersionedCache<number>({ bytes: TOTALS_BYTES, sizeOf: () => BYTES_OF_TOTAL });
  return {
    /** The number of entries on all pages. `count` runs if neither the page nor the cache contains it. */
    get: async (
      { count: { collection, filter, dependencies }, before }: Plan,
      { entries, versions }: CountedPage,
      { start, limit, after = [] }: Pagination,
      count: () => Promise<number>,
    ): Promise<number> => {
      const isLast = after.length === 0 && entries.length < limit && (entries.length > 0 || start === 0);
      if (isLast) return start + entries.length;
      if (versions === undefined) return count();
      return totals.getOrRead(planKey(collection, filter, before), { versions, dependencies }, count);
    },
  };
}

const MAX_BYTES = 2 ** 24;
const BYTES_OF_LISTED_ID = 8;

/** The ids that precede reads, each list valid for the version of its content type. */
export function createIdCache() {
  const lists = createVersionedCache<readonly unknown[]>({
    bytes: MAX_BYTES,
    sizeOf: (ids) => ids.length * BYTES_OF_LISTED_ID,
  });
  return {
    /**
     * The ids of a query. `read` runs if the cache does not contain them, or if they depend on more than one content type; it starts after the
     * versions were read.
     */
    get: async (
      { collection, pipeline, type }: IdQuery,
      versions: TypeVersions,
      read: () => Promise<readonly unknown[]>,
    ): Promise<readonly unknown[]> =>
      type === undefined
        ? read()
        : lists.getOrRead(planKey(collection, pipeline), { versions, dependencies: new Map([[type, 'all']]) }, read),
  };
}

export type IdCache = ReturnType<typeof createIdCache>;
