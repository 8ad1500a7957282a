import type { Db, Document } from 'mongodb';
import { ownCommand } from './own-command.js';
import { shareRuns } from './share-runs.js';

/**
 * Every content type has a version, which a write raises after it is applied and before it is acknowledged. What was
 * computed under a version stays true while the version stays.
 */
export interface Versions {
  /** Stages that read the versions of the types along, as documents of their own; none where they are known anyway. */
  readonly stages: (types: readonly string[]) => readonly Document[];
  /** The versions of the types, as one text, out of what was read along. Undefined when it is not known. */
  readonly read: (types: readonly string[], along: readonly Document[] | undefined) => string | undefined;
  readonly raise: (types: readonly string[]) => Promise<void>;
}

/** For the one process that uses a database: versions cost nothing. */
export function memoryVersions(): Versions {
  const versions = new Map<string, number>();
  return {
    stages: () => [],
    read: (types) => types.map((type) => versions.get(type) ?? 0).join(' '),
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

/** For several processes on one database. Writes that wait at the same moment share one raise. */
export function sharedVersions(db: Db): Versions {
  const collection = db.collection<Version>(VERSIONS);
  const raise = shareRuns<readonly string[], undefined>(async (requests) => {
    const types = [...new Set(requests.flat())];
    const operations = types.map((_id) => ({
      updateOne: { filter: { _id }, update: { $inc: { v: 1 } }, upsert: true },
    }));
    await collection.bulkWrite(operations, { ...ownCommand, ordered: false });
    return requests.map(() => undefined);
  });
  return {
    stages: (types) => [{ $unionWith: { coll: VERSIONS, pipeline: [{ $match: { _id: { $in: types } } }] } }],
    read: (types, along) => {
      const found = along as readonly Version[] | undefined;
      return found && types.map((type) => found.find(({ _id }) => _id === type)?.v ?? 0).join(' ');
    },
    raise,
  };
}
