/**
 * How cached results stay valid: each content type has a version, which every write increments, and a log of what the
 * last writes changed.
 *
 * A result is cached with the versions of its types, which are read before it, and with what it depends on. When it is
 * requested again:
 * 1. If the versions are still the same, it is valid.
 * 2. If not, and no change that the log has since its version affects it, it is valid for the current version too.
 * 3. If one does, or the log does not reach back to its version, it is read again.
 *
 * The only service on a database has its versions and logs in memory (`ownVersions`); several share those in the
 * database (`stored-versions.ts`). `src/query/change.ts` has what a write changes and which results that affects,
 * `src/query/dependencies.ts` what a result depends on; `createVersionedCache` (`versioned-cache.ts`) keeps the
 * results.
 */
import { groupBy } from '../../config/group-by.js';
import type { Change } from '../../query/change.js';

export interface Versions {
  /**
   * The versions of the types, and perhaps of others, at some time after the call.
   * @throws AppError unavailable, outOfTime
   */
  readonly read: (types: readonly string[]) => Promise<TypeVersions>;
  /**
   * Increments the versions of the changed types, and those whose earlier increment failed: after a write is applied
   * and before it is acknowledged.
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
 * The versions of the only service on a database, in memory. Stored versions, which only commands increment then, are
 * read at most once a second: for so long, cached results can lack what a command wrote.
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
