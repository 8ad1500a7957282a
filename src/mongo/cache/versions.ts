import type { Db } from 'mongodb';
import { systemCommandOptions } from '../read/time-limits.js';
import { readBatch } from '../read/read-batch.js';
import { coalesce } from '../coordination/coalesce.js';

/**
 * Every content type has a version, which a write raises after it is applied and before it is acknowledged. What was
 * computed under a version stays true while the version stays.
 */
export interface Versions {
  /** The versions of the types at a moment after the call, as one text. @throws AppError unavailable, outOfTime */
  readonly read: (types: readonly string[]) => Promise<string>;
  /** Raises these, and those that could not be raised before. */
  readonly raise: (types: readonly string[]) => Promise<void>;
}

/** Milliseconds after which versions that commands raise are read again. */
const COMMANDS_MS = 1000;

/**
 * For the one service that uses a database: its own versions cost nothing. Those that commands beside it raise are read at most once a
 * second, so totals may miss their writes for that long.
 */
export function ownVersions(shared: Pick<Versions, 'read'>): Versions {
  const versions = new Map<string, number>();
  const others = new Map<string, Promise<string>>();
  let readAt = -Infinity;
  const readOthers = (types: readonly string[]): Promise<string> => {
    if (performance.now() - readAt > COMMANDS_MS) {
      others.clear();
      readAt = performance.now();
    }
    const key = types.join(' ');
    const found = others.get(key) ?? shared.read(types);
    others.set(key, found);
    return found;
  };
  return {
    read: async (types) => `${await readOthers(types)} ${textOf(types, versions)}`,
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

/** For several processes on one database. Reads that wait at the same moment share one command, and raises do. */
export function sharedVersions(db: Db): Versions {
  const collection = db.collection<Version>(VERSIONS);
  const share = coalesce<readonly string[], ReadonlyMap<string, number>>(async (requests) => {
    const filter = { _id: { $in: [...new Set(requests.flat())] } };
    const found = await readBatch<Version>(db, { find: VERSIONS, filter }, systemCommandOptions.maxTimeMS);
    const versions = new Map(found.map(({ _id, v }) => [_id, v]));
    return requests.map(() => versions);
  });
  /** Versions that could not be raised while the database was away: the next time they are raised as well. */
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
  return { read: async (types) => textOf(types, await share(types)), raise };
}

const textOf = (types: readonly string[], versions: ReadonlyMap<string, number>): string =>
  types.map((type) => versions.get(type) ?? 0).join(' ');
