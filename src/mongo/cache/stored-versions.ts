import type { Db, Document } from 'mongodb';
import { groupBy } from '../../config/group-by.js';
import type { Change } from '../../query/change.js';
import { coalesce } from '../coordination/coalesce.js';
import { readBatch } from '../read/read-batch.js';
import { systemCommandOptions } from '../read/time-limits.js';
import { loggedChanges, type TypeVersions, type VersionLog, type Versions } from './versions.js';

/** A document of `_versions`; a content type without writes has none. */
interface StoredVersion {
  /** The uid of the content type. */
  readonly _id: string;
  /** The number of writes so far. */
  readonly v: number;
  /** What the last of them changed, in the same command as the increment. */
  readonly log?: readonly StoredChanges[];
}

/** The id and the attributes of each change, null for all attributes; null: anything can have changed. */
type StoredChanges = readonly (readonly [id: number, names: readonly string[] | null])[] | null;

const VERSIONS = '_versions';
/** Writes in the log of a type. */
const LOGGED = 32;
/** A change of more attributes is stored as one of all. */
const MAX_NAMES = 50;

/**
 * The versions of several processes on one database. Concurrent reads share one command, and so do increments.
 * @param lostConnections see `countLostConnections`: a database that has crashed may have forgotten a version that was
 * read, and give its number to the next write. So no version of before is found again after a connection was lost.
 */
export function storedVersions(db: Db, lostConnections: () => number = () => 0): Versions {
  const textOf = (v: number): string => `${lostConnections()}.${v}`;
  const collection = db.collection<StoredVersion>(VERSIONS);
  const find = (types: readonly string[], projection: Document): Promise<readonly StoredVersion[]> => {
    // For one document MongoDB uses its express path.
    const selection =
      types.length === 1 ? { filter: { _id: types[0] }, limit: 1 } : { filter: { _id: { $in: types } } };
    const command = { find: VERSIONS, ...selection, projection };
    return readBatch<StoredVersion>(db, command, systemCommandOptions.maxTimeMS);
  };
  /** By content type, the log that was read last. */
  const logs = new Map<string, VersionLog>();
  const readLog = coalesce<string, VersionLog>(async (types) => {
    const rows = await find([...new Set(types)], { v: 1, log: 1 });
    const stored = new Map(rows.map((row) => [row._id, logIn(row, textOf)]));
    return types.map((type) => {
      const log = stored.get(type) ?? logIn({ _id: type, v: 0 }, textOf);
      logs.set(type, log);
      return log;
    });
  });
  const logOf = async (type: string, version: string): Promise<VersionLog> => {
    const log = logs.get(type);
    return log?.at(-1)?.version === version ? log : readLog(type);
  };
  const read = coalesce<readonly string[], TypeVersions>(async (requests) => {
    const types = [...new Set(requests.flat())];
    const rows = await find(types, { v: 1 });
    const stored = new Map(rows.map(({ _id, v }) => [_id, textOf(v)]));
    const versions = new Map(
      types.map((type) => {
        const version = stored.get(type) ?? textOf(0);
        return [type, { version, log: () => logOf(type, version) }];
      }),
    );
    return requests.map(() => versions);
  });
  /** Changes whose increment failed while the database was unavailable; the next increment includes them. */
  let owed: readonly Change[] = [];
  const raise = coalesce<readonly Change[], undefined>(async (requests) => {
    const changed = groupBy([...owed, ...requests.flat()], ({ type }) => type);
    owed = [...changed].flatMap(([type, changes]) => loggedChanges(changes) ?? [{ type }]);
    const operations = [...changed].map(([_id, changes]) => ({
      updateOne: { filter: { _id }, update: increment(changes), upsert: true },
    }));
    if (operations.length > 0) await collection.bulkWrite(operations, { ...systemCommandOptions, ordered: false });
    owed = [];
    return requests.map(() => undefined);
  });
  return { read, raise };
}

/** Plain operators: a pipeline would cost as much again as the increment. */
function increment(changes: readonly Change[]): Document {
  const stored = loggedChanges(changes)?.map(({ id, names = [] }) => [
    id,
    names.length === 0 || names.length > MAX_NAMES ? null : names,
  ]);
  return { $inc: { v: 1 }, $push: { log: { $each: [stored ?? null], $slice: -LOGGED } } };
}

/** The stored log, which begins with the version before the first change in it. */
function logIn({ _id: type, v, log = [] }: StoredVersion, textOf: (v: number) => string): VersionLog {
  const first = v - log.length;
  const logged = log.map((stored, index) => ({
    version: textOf(first + index + 1),
    changes: stored?.map(([id, names]) => ({ type, id, ...(names !== null && { names }) })),
  }));
  return [{ version: textOf(first), changes: undefined }, ...logged];
}
