import type { Change } from '../../query/change.js';

/** A version of a content type, and what led to it. */
export interface TypeVersion {
  readonly version: string;
  /** The last versions, which contain this one. @throws AppError unavailable, outOfTime */
  readonly log: () => Promise<VersionLog>;
}

/** Versions one after the other, each with what changed since the one before; undefined: anything. */
export type VersionLog = readonly LoggedVersion[];

interface LoggedVersion {
  readonly version: string;
  readonly changes: readonly Change[] | undefined;
}

/** Versions by the uids of content types. */
export type TypeVersions = ReadonlyMap<string, TypeVersion>;

/** That of a content type without writes. */
export const INITIAL = '0.0';
export const initialLog: VersionLog = [{ version: INITIAL, changes: undefined }];

const MAX_LENGTH = 1024;
/** The changes of one version that are logged. */
const MAX_CHANGES = 16;

/** The changes that led to a version as they are logged. */
export const loggable = (changes: readonly Change[]): readonly Change[] | undefined =>
  changes.length <= MAX_CHANGES && changes.every(({ id }) => id !== undefined) ? changes : undefined;

export const extendLog = (log: VersionLog, ...versions: VersionLog): VersionLog =>
  [...log, ...versions].slice(-MAX_LENGTH);

/** The changes after a version; undefined if they are not logged. */
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
