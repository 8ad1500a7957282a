import type { Db } from 'mongodb';
import { systemCommandOptions } from '../read/time-limits.js';
import { readBatch } from '../read/read-batch.js';
import { coalesce } from '../coordination/coalesce.js';

/** Versions by the uids of content types; that of a type without writes is absent. */
export type TypeVersions = ReadonlyMap<string, number | string>;

/**
 * Every content type has a version, which a write increments after it is applied and before it is acknowledged. Results
 * computed under a version are valid while the version is unchanged.
 */
export interface Versions {
  /** The versions of the types, and perhaps of others, at some time after the call. @throws AppError unavailable, outOfTime */
  readonly read: (types: readonly string[]) => Promise<TypeVersions>;
  /** Increments these, and those whose earlier increment failed. */
  readonly raise: (types: readonly string[]) => Promise<void>;
}

/** Milliseconds after which versions incremented by commands are read again. */
const COMMANDS_MS = 1000;

/**
 * For the only service on a database: its own versions are in memory. Those incremented by CLI commands are read at most once a
 * second, so totals can lack their writes for that long.
 */
export function ownVersions(shared: Pick<Versions, 'read'>): Versions {
  const versions = new Map<string, number>();
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
  return {
    read: async (types) => {
      const read = await readOthers(types);
      return new Map(types.map((type) => [type, `${read.get(type) ?? 0}+${versions.get(type) ?? 0}`]));
    },
    raise: (types) => {
      for (const type of types) versions.set(type, (versions.get(type) ?? 0) + 1);
      return Promise.resolve();
    },
  };
}

interface Version {
  readonly _id: string;
  readonly v: number;
}

const VERSIONS = '_versions';

/** For several processes on one database. Concurrent reads share one command, and so do increments. */
export function sharedVersions(db: Db): Versions {
  const collection = db.collection<Version>(VERSIONS);
  const share = coalesce<readonly string[], TypeVersions>(async (requests) => {
    const types = [...new Set(requests.flat())];
    // For one document MongoDB uses its express path.
    const selection =
      types.length === 1 ? { filter: { _id: types[0] }, limit: 1 } : { filter: { _id: { $in: types } } };
    const rows = await readBatch<Version>(db, { find: VERSIONS, ...selection }, systemCommandOptions.maxTimeMS);
    const versions = new Map(rows.map(({ _id, v }) => [_id, v]));
    return requests.map(() => versions);
  });
  /** Versions whose increment failed while the database was unavailable; the next increment includes them. */
  const owed = new Set<string>();
  const raise = coalesce<readonly string[], undefined>(async (requests) => {
    for (const type of requests.flat()) owed.add(type);
    const types = [...owed];
    const operations = types.map((_id) => ({
      updateOne: { filter: { _id }, update: { $inc: { v: 1 } }, upsert: true },
    }));
    if (types.length > 0) await collection.bulkWrite(operations, { ...systemCommandOptions, ordered: false });
    owed.clear();
    return requests.map(() => undefined);
  });
  return { read: share, raise };
}

/** The versions of these types as one string. */
export const versionText = (types: readonly string[], versions: TypeVersions): string =>
  types.map((type) => versions.get(type) ?? 0).join(' ');
