import type { Db, Document } from 'mongodb';
import type { Change } from '../../query/change.js';
import { coalesce } from '../coordination/coalesce.js';
import { readBatch } from '../read/read-batch.js';
import { systemCommandOptions } from '../read/time-limits.js';
import { extendLog, INITIAL, initialLog, loggable, type TypeVersions, type VersionLog } from './version-log.js';
import { changesByType, type Versions } from './versions.js';

/** What is stored of a content type. */
interface StoredVersion {
  readonly _id: string;
  /** Incremented by each write. */
  readonly v: number;
  /** Incremented by each write that is logged: those of releases without a log are not. */
  readonly n?: number;
  /** The log of the last ones. */
  readonly log?: readonly StoredChanges[];
}

/** The id and the attributes of each change, as in `Change`; null: anything. */
type StoredChanges = readonly (readonly [id: number, names: readonly string[] | null])[] | null;

const VERSIONS = '_versions';
const LOGGED = 32;
/** How much of the log is read with a version. */
const RECENT = 4;
/** More attributes are stored as all. */
const MAX_NAMES = 50;

/** For several processes on one database. Concurrent reads share one command, and so do increments. */
export function sharedVersions(db: Db): Versions {
  const collection = db.collection<StoredVersion>(VERSIONS);
  const find = (types: readonly string[], projection: Document): Promise<readonly StoredVersion[]> => {
    // For one document MongoDB uses its express path.
    const selection =
      types.length === 1 ? { filter: { _id: types[0] }, limit: 1 } : { filter: { _id: { $in: types } } };
    const command = { find: VERSIONS, ...selection, projection };
    return readBatch<StoredVersion>(db, command, systemCommandOptions.maxTimeMS);
  };
  /** The logs that were read, each to its last version. */
  const logs = new Map<string, VersionLog>();
  /** The types whose last change was compared with a cached value: the next change is read with its version. */
  const compared = new Set<string>();
  const readLog = coalesce<string, VersionLog>(async (types) => {
    for (const row of await find([...new Set(types)], { v: 1, n: 1, log: 1 })) {
      const stored = logIn(row);
      logs.set(row._id, continueLog(logs.get(row._id) ?? initialLog, stored) ?? stored);
    }
    return types.map((type) => logs.get(type) ?? initialLog);
  });
  const logOf = async (type: string, version: string): Promise<VersionLog> => {
    compared.add(type);
    const log = logs.get(type);
    return log?.at(-1)?.version === version ? log : readLog(type);
  };
  const readChanges = (row: StoredVersion): void => {
    const log = logs.get(row._id);
    if (log === undefined || row.log === undefined || log.at(-1)?.version === textOf(row)) return;
    compared.delete(row._id);
    const continued = continueLog(log, logIn(row));
    if (continued !== undefined) logs.set(row._id, continued);
  };
  const read = coalesce<readonly string[], TypeVersions>(async (requests) => {
    const types = [...new Set(requests.flat())];
    const recent = types.some((type) => compared.has(type)) ? { log: { $slice: -RECENT } } : undefined;
    const rows = await find(types, { v: 1, n: 1, ...recent });
    for (const row of rows) readChanges(row);
    const stored = new Map(rows.map((row) => [row._id, textOf(row)]));
    const versions = new Map(
      types.map((type) => {
        const version = stored.get(type) ?? INITIAL;
        return [type, { version, log: () => logOf(type, version) }];
      }),
    );
    return requests.map(() => versions);
  });
  /** Changes whose increment failed while the database was unavailable; the next increment includes them. */
  let owed: readonly Change[] = [];
  const raise = coalesce<readonly Change[], undefined>(async (requests) => {
    const changed = changesByType([...owed, ...requests.flat()]);
    owed = [...changed].flatMap(([type, changes]) => loggable(changes) ?? [{ type }]);
    const operations = [...changed].map(([_id, changes]) => ({
      updateOne: { filter: { _id }, update: increment(changes), upsert: true },
    }));
    if (operations.length > 0) await collection.bulkWrite(operations, { ...systemCommandOptions, ordered: false });
    owed = [];
    return requests.map(() => undefined);
  });
  return { read, raise };
}

const textOf = ({ v, n = 0 }: Pick<StoredVersion, 'v' | 'n'>): string => `${v}.${n}`;

/** Plain operators: a pipeline would cost as much again as the increment. */
function increment(changes: readonly Change[]): Document {
  const stored = loggable(changes)?.map(({ id, names = [] }) => [
    id,
    names.length === 0 || names.length > MAX_NAMES ? null : names,
  ]);
  return { $inc: { v: 1, n: 1 }, $push: { log: { $each: [stored ?? null], $slice: -LOGGED } } };
}

/** The stored log, from the version before the first change in it. */
function logIn({ _id: type, v, n = 0, log = [] }: StoredVersion): VersionLog {
  const versions: VersionLog[number][] = [
    { version: textOf({ v: v - log.length, n: n - log.length }), changes: undefined },
  ];
  for (const [index, stored] of log.entries()) {
    const back = log.length - 1 - index;
    const changes = stored?.map(([id, names]) => ({ type, id, ...(names !== null && { names }) }));
    versions.push({ version: textOf({ v: v - back, n: n - back }), changes });
  }
  return versions;
}

/** The log with the later versions of another; undefined if versions between them are missing. */
function continueLog(log: VersionLog, other: VersionLog): VersionLog | undefined {
  const last = log.at(-1)?.version;
  const index = other.findIndex(({ version }) => version === last);
  return index < 0 ? undefined : extendLog(log, ...other.slice(index + 1));
}
