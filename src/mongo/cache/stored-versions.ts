import type { Db, Document } from 'mongodb';
import type { Change } from '../../query/change.js';
import { coalesce } from '../coordination/coalesce.js';
import { readBatch } from '../read/read-batch.js';
import { systemCommandOptions } from '../read/time-limits.js';
import { extendLog, INITIAL, initialLog, loggable, type TypeVersions, type VersionLog } from './version-log.js';
import { changesByType, type Versions } from './versions.js';

/** What is stored of a content type: its version, and the last changes by `v % SLOTS`. */
interface StoredVersion {
  readonly _id: string;
  readonly v: number;
  readonly c?: Readonly<Record<string, StoredChanges>>;
}

interface StoredChanges {
  /** The version to which they led. */
  readonly v: number;
  /** The id and the attributes of each, as in `Change`; null: anything. */
  readonly e: readonly (readonly [id: number, names: readonly string[] | null])[] | null;
}

const VERSIONS = '_versions';
const SLOTS = 32;
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
  const readLog = coalesce<string, VersionLog>(async (types) => {
    for (const row of await find([...new Set(types)], { v: 1, c: 1 })) {
      logs.set(row._id, append(logs.get(row._id) ?? initialLog, row));
    }
    return types.map((type) => logs.get(type) ?? initialLog);
  });
  const logOf = async (type: string, version: string): Promise<VersionLog> => {
    const log = logs.get(type);
    return log?.at(-1)?.version === version ? log : readLog(type);
  };
  const read = coalesce<readonly string[], TypeVersions>(async (requests) => {
    const types = [...new Set(requests.flat())];
    const stored = new Map((await find(types, { v: 1 })).map(({ _id, v }) => [_id, String(v)]));
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

function increment(changes: readonly Change[]): Document[] {
  const stored = loggable(changes)?.map(({ id, names = [] }) => [
    id,
    names.length === 0 || names.length > MAX_NAMES ? null : names,
  ]);
  const entry = { v: '$v', e: { $literal: stored ?? null } };
  const slot = { k: { $toString: { $mod: ['$v', SLOTS] } }, v: entry };
  return [
    { $set: { v: { $add: [{ $ifNull: ['$v', 0] }, 1] } } },
    { $set: { c: { $mergeObjects: ['$c', { $arrayToObject: [[slot]] }] } } },
  ];
}

/** The log with the stored versions after its last one. If some between are missing it starts after them. */
function append(log: VersionLog, { _id: type, v, c = {} }: StoredVersion): VersionLog {
  const bySlot = new Map(Object.values(c).map((changes) => [changes.v, changes.e]));
  const added: VersionLog[number][] = [];
  for (let version = v; log.at(-1)?.version !== String(version); version -= 1) {
    const stored = bySlot.get(version);
    const changes = stored?.map(([id, names]) => ({ type, id, ...(names !== null && { names }) }));
    added.unshift({ version: String(version), changes });
    if (!bySlot.has(version)) return added;
  }
  return extendLog(log, ...added);
}
