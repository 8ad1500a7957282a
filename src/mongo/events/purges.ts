import { ObjectId, type Db } from 'mongodb';
import { groupBy } from '../../config/group-by.js';
import { coalesce } from '../coordination/coalesce.js';
import { translated } from '../errors.js';
import { systemCommandOptions } from '../read/time-limits.js';
import { createAwaitedPurges, type AwaitedPurges } from './awaited-purges.js';

export interface StoredPurge {
  readonly _id: ObjectId;
  /** The name of the cache. */
  readonly to: string;
  readonly tags: readonly string[];
  readonly at: Date;
  /** It is not sent before this time; absent: the clocks of two processes may differ. */
  readonly due?: Date;
}

const PURGES = '_purges';

/**
 * What caches have to purge: stored before a write is acknowledged, deleted when the cache has purged it.
 * @param caches the names of the declared caches
 */
export function openPurges(db: Db, caches: readonly string[]) {
  const purges = db.collection<StoredPurge>(PURGES);
  const options = { ...systemCommandOptions, readPreference: 'primary' } as const;
  const { note, ...awaited } = createAwaitedPurges(async (ids) => {
    const found = purges.find({ _id: { $in: [...ids] } }, { ...options, projection: { _id: 1 } });
    return (await found.toArray()).map(({ _id }) => _id);
  });
  const insert = async (tags: readonly string[], pause: number): Promise<readonly ObjectId[]> => {
    const at = new Date();
    const due = pause > 0 && { due: new Date(at.getTime() + pause) };
    const rows = caches.map((to) => ({ _id: new ObjectId(), to, tags, at, ...due }));
    if (tags.length === 0 || rows.length === 0) return [];
    await purges.insertMany(rows, systemCommandOptions);
    return rows.map(({ _id }) => _id);
  };
  /** Tags by their pause, of those that could not be stored while the database was unavailable. */
  let owed: readonly Addition[] = [];
  const add = coalesce<Addition, readonly ObjectId[]>(async (requests) => {
    owed = join([...owed, ...requests]);
    const stored = new Map<number, readonly ObjectId[]>();
    for (const { tags, pause } of owed) stored.set(pause, await insert(tags, pause));
    owed = [];
    return requests.map(({ tags, pause }) => (tags.length === 0 ? [] : (stored.get(pause) ?? [])));
  });
  return {
    /**
     * @param pause milliseconds before they are sent. Without tags, adds those that could not be stored before. Returns
     * those that were stored.
     */
    add: (tags: readonly string[], pause = 0): Promise<readonly ObjectId[]> =>
      translated(async () => {
        const ids = await add({ tags, pause });
        note(ids);
        return ids;
      }),
    /** Those that requests wait for. */
    awaited: awaited satisfies AwaitedPurges,
    /** The first purges of a cache, of those that are due. */
    due: (to: string, limit: number): Promise<readonly StoredPurge[]> =>
      translated(() =>
        purges
          .find({ to, due: { $not: { $gt: new Date() } } }, options)
          .sort({ _id: 1 })
          .limit(limit)
          .toArray(),
      ),
    remove: (done: readonly StoredPurge[]): Promise<void> =>
      translated(async () => {
        await purges.deleteMany({ _id: { $in: done.map(({ _id }) => _id) } }, systemCommandOptions);
      }),
    /** Replaces all purges of a cache by that of one tag. */
    replace: (to: string, tag: string): Promise<void> =>
      translated(async () => {
        const [_id, at] = [new ObjectId(), new Date()];
        await purges.insertOne({ _id, to, tags: [tag], at }, systemCommandOptions);
        await purges.deleteMany({ to, _id: { $ne: _id } }, systemCommandOptions);
      }),
    /** Deletes those of caches that are not declared any more. */
    prune: (): Promise<void> =>
      translated(async () => {
        await purges.deleteMany({ to: { $nin: [...caches] } }, systemCommandOptions);
      }),
    /** The oldest purge. */
    oldest: (): Promise<StoredPurge | undefined> =>
      translated(async () => (await purges.find({}, options).sort({ _id: 1 }).limit(1).toArray())[0]),
  };
}

export type Purges = ReturnType<typeof openPurges>;

interface Addition {
  readonly tags: readonly string[];
  readonly pause: number;
}

/** One addition for each pause. */
const join = (additions: readonly Addition[]): readonly Addition[] =>
  [...groupBy(additions, ({ pause }) => pause)].map(([pause, ofPause]) => ({
    tags: [...new Set(ofPause.flatMap(({ tags }) => tags))],
    pause,
  }));
