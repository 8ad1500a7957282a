/**
 * How cached results stay valid: each content type has a version, which every write increments, and a log of what the last writes changed.
 *
 * A result is cached with the versions of its types, which are read before it, and with what it depends on. When it is requested again:
 * 1. If the versions are still the same, it is valid.
 * 2. If not, and no change that the log has since its version affects it, it is valid for the current version too.
 * 3. If one does, or the log does not reach back to its version, it is read again.
 *
 * The only service on a database has its versions and logs in memory (`own-versions.ts`); several share those in the database
 * (`stored-versions.ts`). `src/query/change.ts` has what a write changes and which results that affects, `src/query/dependencies.ts` what a
 * result depends on, and `versioned-cache.ts` the results.
 */
import type { Change } from '../../query/change.js';

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
