import type { CollectionOptions, Db, Filter } from 'mongodb';
import { isFields } from '../maintenance/check/stored-kinds.js';
import { systemCommandOptions } from '../read/time-limits.js';
import { coalesce } from '../coordination/coalesce.js';
import type { StoredDocument } from '../maintenance/extended-json-lines.js';
import { translated } from '../errors.js';
import { claimId, unclaim, type Allocated, type FreeIds } from './claimed-ids.js';

interface Counter {
  readonly _id: string;
  /** The last allocated id. */
  readonly id?: number;
  /** The last rank, see ARCHITECTURE.md: the order of a relation's other side. */
  readonly rank?: number;
  /** Ids below the last one that were never allocated. */
  readonly free?: readonly FreeIds[];
}

/** The first of consecutive numbers, or the last. */
export interface Reserved {
  readonly id: number;
  readonly rank: number;
}

/**
 * Counters in the `_counters` collection, incremented with an atomic `$inc`: a stored id is never allocated again.
 * @param lostConnections see `countLostConnections`; default: a crash of the database is not noticed
 */
export function openCounters(db: Db, lostConnections = none) {
  const collection = db.collection<Counter>('_counters');
  const unflushed = db.collection<Counter>('_counters', withoutFlush(db));
  const byType = new Map<string, (count: Counts) => Promise<Reserved>>();
  /** The last reserved numbers, per type. */
  const last = new Map<string, Reserved>();
  const losses = isSingleServer(db) ? lostConnections : none;
  let restored = losses();
  const restoreAll = coalesce(async (requests: readonly undefined[]) => {
    const upTo = losses();
    const updates = [...last].map(([_id, $max]) => ({
      updateOne: { filter: { _id }, update: { $max, ...noneFree }, upsert: true },
    }));
    if (updates.length > 0)
      await translated(() => collection.bulkWrite(updates, { ...systemCommandOptions, ordered: false }));
    restored = upTo;
    return requests.map(() => undefined);
  });
  /**
   * After a connection was lost: makes sure that the numbers that this process has reserved are stored. A single server
   * that has crashed has forgotten those that were not flushed, and would allocate them again.
   */
  const restore = async (): Promise<void> => {
    if (losses() !== restored) await restoreAll(undefined);
  };
  /** Reserves numbers for several at once, and returns the first of them. */
  const increase = async (uid: string, ids: number, ranks: number): Promise<Reserved> => {
    await restore();
    const update = { $inc: { id: ids, rank: ranks } };
    const options = { ...systemCommandOptions, upsert: true, returnDocument: 'after' } as const;
    const { id = ids, rank = ranks } =
      (await translated(() => unflushed.findOneAndUpdate({ _id: uid }, update, options))) ?? {};
    // Otherwise others may have reserved the same numbers before the crash.
    if (losses() !== restored) return increase(uid, ids, ranks);
    last.set(uid, { id, rank });
    return { id: id - ids + 1, rank: rank - ranks + 1 };
  };
  /** Reserves the sum, and returns the first numbers of each. */
  const reserveAll = async (uid: string, counts: readonly Counts[]): Promise<readonly Reserved[]> => {
    const sum = (key: keyof Counts): number => counts.reduce((total, count) => total + count[key], 0);
    let { id, rank } = await increase(uid, sum('ids'), sum('ranks'));
    return counts.map(({ ids, ranks }) => {
      const first = { id, rank };
      id += ids;
      rank += ranks;
      return first;
    });
  };
  /** Claims several at once, in their order. Another process may allocate ids meanwhile: then it looks again. */
  const claimAll = async (uid: string, ids: readonly number[]): Promise<readonly boolean[]> => {
    const none = { $setOnInsert: { id: 0, rank: 0 } };
    await translated(() => collection.updateOne({ _id: uid }, none, { ...systemCommandOptions, upsert: true }));
    for (;;) {
      await restore();
      const options = { ...systemCommandOptions, readPreference: 'primary' } as const;
      const { id = null, free = null } = (await translated(() => collection.findOne({ _id: uid }, options))) ?? {};
      let allocated: Allocated = { last: id ?? 0, free: free ?? [] };
      const claimed = ids.map((wanted) => {
        const next = claimId(allocated, wanted);
        allocated = next ?? allocated;
        return next !== undefined;
      });
      const unchanged = { _id: uid, id, free } as Filter<Counter>;
      const update = { $set: { id: allocated.last, free: allocated.free } };
      const { matchedCount } = await translated(() => collection.updateOne(unchanged, update, systemCommandOptions));
      if (matchedCount > 0) return claimed;
    }
  };
  const claims = new Map<string, (id: number) => Promise<boolean>>();
  return {
    /**
     * Claims an id that code chooses; false: an entry of the type has it, has had it, or is about to get it. As what
     * removes a deleted entry and the links to it may run again, no id is ever used twice.
     */
    claim: (uid: string, id: number): Promise<boolean> => {
      const claim = claims.get(uid) ?? coalesce((ids: readonly number[]) => claimAll(uid, ids));
      claims.set(uid, claim);
      return claim(id);
    },
    /** Gives a claimed id back. */
    unclaim: async (uid: string, id: number): Promise<void> => {
      await translated(() => collection.updateOne({ _id: uid }, unclaim(id), systemCommandOptions));
    },
    /** Reserves ids and ranks for a content type. Concurrent creates share one command. */
    reserve: (uid: string, count: Counts): Promise<Reserved> => {
      const reserve = byType.get(uid) ?? coalesce((counts: readonly Counts[]) => reserveAll(uid, counts));
      byType.set(uid, reserve);
      return reserve(count);
    },
    restore,
    /** Releases an unused id, unless a later one was allocated: then it stays unused. */
    release: async (uid: string, id: number): Promise<void> => {
      await translated(() => unflushed.updateOne({ _id: uid, id }, { $inc: { id: -1 } }, systemCommandOptions));
    },
    /** Makes sure that the next id of a type, and the next rank, are above these. */
    raise: async (uid: string, id: number, rank: number = 0): Promise<void> => {
      const update = { $max: { id, rank }, ...noneFree };
      await collection.updateOne({ _id: uid }, update, { ...systemCommandOptions, upsert: true });
    },
  };
}

export type Counters = ReturnType<typeof openCounters>;

/**
 * A single server keeps one journal, in order: the entry that holds a number brings the number along when it is
 * flushed, so that no second wait is needed. If the server crashes between the two, see `restore`.
 */
export const withoutFlush = (db: Db): CollectionOptions =>
  isSingleServer(db) ? { writeConcern: { w: 1, journal: false } } : {};

const isSingleServer = ({ writeConcern }: Db): boolean => writeConcern?.w === 1;

const none = (): number => 0;

interface Counts {
  readonly ids: number;
  readonly ranks: number;
}

/** What is imported, or was reserved before a crash, may have any id below the last one. */
const noneFree = { $unset: { free: true } } as const;

/** Makes sure that the counters are not below stored values. */
export async function raiseCounters(db: Db, stored: readonly StoredDocument[]): Promise<void> {
  for (const { _id, free: _free, ...numbers } of stored) {
    const last = Object.entries(numbers).flatMap(([name, value]) =>
      isFields(value) ? Object.entries(value).map(([inner, number]) => [`${name}.${inner}`, number]) : [[name, value]],
    );
    const update = { $max: Object.fromEntries(last) as Partial<Counter>, ...noneFree };
    await translated(() =>
      db
        .collection<Counter>('_counters')
        .updateOne({ _id: String(_id) }, update, { ...systemCommandOptions, upsert: true }),
    );
  }
}
