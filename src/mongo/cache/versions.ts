import type { Change } from '../../query/change.js';
import { extendLog, INITIAL, loggable, type TypeVersions, type VersionLog } from './version-log.js';

/**
 * Every content type has a version, which a write increments after it is applied and before it is acknowledged. Results
 * computed under a version are valid while the version is unchanged, or has changed only by writes that do not affect them.
 */
export interface Versions {
  /** The versions of the types, and perhaps of others, at some time after the call. @throws AppError unavailable, outOfTime */
  readonly read: (types: readonly string[]) => Promise<TypeVersions>;
  /** Increments those of the changed types, and those whose earlier increment failed. */
  readonly raise: (changes: readonly Change[]) => Promise<void>;
}

/** The changes by content type. */
export function changesByType(changes: readonly Change[]): ReadonlyMap<string, readonly Change[]> {
  const byType = new Map<string, Change[]>();
  for (const change of changes) {
    const ofType = byType.get(change.type) ?? [];
    ofType.push(change);
    byType.set(change.type, ofType);
  }
  return byType;
}

/** Milliseconds after which versions incremented by commands are read again. */
const COMMANDS_MS = 1000;

interface OwnVersion {
  readonly shared: string;
  readonly own: number;
  readonly log: VersionLog;
}

/**
 * For the only service on a database: its own versions are in memory. Those incremented by CLI commands are read at most once a
 * second, so cached results can lack their writes for that long.
 */
export function ownVersions(shared: Pick<Versions, 'read'>): Versions {
  const versions = new Map<string, OwnVersion>();
  const others = new Map<string, Promise<TypeVersions>>();
  let readAt = -Infinity;
  const readOthers = (types: readonly string[]): Promise<TypeVersions> => {
    if (performance.now() - readAt > COMMANDS_MS) {
      others.clear();
      readAt = performance.now();
    }
    const key = types.join(' ');
    const read = others.get(key) ?? shared.read(types);
    others.set(key, read);
    return read;
  };
  const versionOf = (type: string): OwnVersion => versions.get(type) ?? startAt(INITIAL, 0);
  return {
    read: async (types) => {
      const read = await readOthers(types);
      return new Map(
        types.map((type) => {
          const version = read.get(type)?.version ?? INITIAL;
          const last = versionOf(type);
          const current = last.shared === version ? last : startAt(version, last.own);
          versions.set(type, current);
          return [type, { version: textOf(current), log: async () => current.log }];
        }),
      );
    },
    raise: (changes) => {
      for (const [type, ofType] of changesByType(changes)) {
        const last = versionOf(type);
        const next = { ...last, own: last.own + 1 };
        versions.set(type, { ...next, log: extendLog(last.log, { version: textOf(next), changes: loggable(ofType) }) });
      }
      return Promise.resolve();
    },
  };
}

const textOf = ({ shared, own }: Omit<OwnVersion, 'log'>): string => `${shared}+${own}`;

const startAt = (shared: string, own: number): OwnVersion => ({
  shared,
  own,
  log: [{ version: textOf({ shared, own }), changes: undefined }],
});
