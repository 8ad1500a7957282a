import type { Collection, CollectionOptions, Db } from 'mongodb';
import { isFields } from '../maintenance/check/stored-kinds.js';
import { systemCommandOptions } from '../read/time-limits.js';
import { coalesce } from '../coordination/coalesce.js';
import type { StoredDocument } from '../maintenance/extended-json-lines.js';
import { translated } from '../errors.js';

interface Counter {
  readonly _id: string;
  /** The last allocated id. */
  readonly id?: number;
  /** The last rank, see ARCHITECTURE.md: the order of a relation's other side. */
  readonly rank?: number;
}

/** The first of consecutive numbers. */
export interface Reserved {
  readonly id: number;
  readonly rank: number;
}

export interface Counters {
  /** Reserves ids and ranks for a content type. Concurrent creates share one command. */
  reserve(uid: string, count: { readonly ids: number; readonly ranks: number }): Promise<Reserved>;
  /** Releases an unused id, unless a later one was allocated: then it stays unused. */
  release(uid: string, id: number): Promise<void>;
  /** Makes sure that the next id of a type, and the next rank, are above these. */
  raise(uid: string, id: number, rank?: number): Promise<void>;
}

/** Counters in the `_counters` collection, incremented with an atomic `$inc`: a stored id is never allocated again. */
export function openCounters(db: Db): Counters {
  const collection = db.collection<Counter>('_counters');
  const unflushed = db.collection<Counter>('_counters', withoutFlush(db));
  const byType = new Map<string, (count: { ids: number; ranks: number }) => Promise<Reserved>>();
  return {
    reserve: (uid, count) => {
      const reserve = byType.get(uid) ?? coalesce((counts: readonly Counts[]) => reserveAll(unflushed, uid, counts));
      byType.set(uid, reserve);
      return reserve(count);
    },
    release: async (uid, id) => {
      await translated(() => unflushed.updateOne({ _id: uid, id }, { $inc: { id: -1 } }, systemCommandOptions));
    },
    raise: async (uid, id, rank = 0) => {
      await collection.updateOne({ _id: uid }, { $max: { id, rank } }, { ...systemCommandOptions, upsert: true });
    },
  };
}

/**
 * A single server keeps one journal, in order: the entry that holds a number brings the number along when it is flushed,
 * so that no second wait is needed.
 */
export const withoutFlush = ({ writeConcern }: Db): CollectionOptions =>
  writeConcern?.w === 1 ? { writeConcern: { w: 1, journal: false } } : {};

interface Counts {
  readonly ids: number;
  readonly ranks: number;
}

async function reserveAll(
  collection: Collection<Counter>,
  uid: string,
  counts: readonly Counts[],
): Promise<Reserved[]> {
  const sum = (key: keyof Counts): number => counts.reduce((total, count) => total + count[key], 0);
  let { id, rank } = await increase(collection, uid, sum('ids'), sum('ranks'));
  return counts.map(({ ids, ranks }) => {
    const first = { id, rank };
    id += ids;
    rank += ranks;
    return first;
  });
}

async function increase(collection: Collection<Counter>, _id: string, ids: number, ranks: number): Promise<Reserved> {
  const raised = await translated(() =>
    collection.findOneAndUpdate(
      { _id },
      { $inc: { id: ids, rank: ranks } },
      { ...systemCommandOptions, upsert: true, returnDocument: 'after' },
    ),
  );
  return { id: (raised?.id ?? ids) - ids + 1, rank: (raised?.rank ?? ranks) - ranks + 1 };
}

/** Makes sure that the counters are not below stored values. */
export async function raiseCounters(db: Db, stored: readonly StoredDocument[]): Promise<void> {
  for (const { _id, ...numbers } of stored) {
    const last = Object.entries(numbers).flatMap(([name, value]) =>
      isFields(value) ? Object.entries(value).map(([inner, number]) => [`${name}.${inner}`, number]) : [[name, value]],
    );
    const update = { $max: Object.fromEntries(last) as Partial<Counter> };
    await translated(() =>
      db
        .collection<Counter>('_counters')
        .updateOne({ _id: String(_id) }, update, { ...systemCommandOptions, upsert: true }),
    );
  }
}
