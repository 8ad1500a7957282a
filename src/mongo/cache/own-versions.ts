import { groupBy } from '../../config/group-by.js';
import { loggedChanges, type TypeVersions, type VersionLog, type Versions } from './versions.js';

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
