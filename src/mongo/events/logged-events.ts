import type { Db, Document } from 'mongodb';
import type { Collation } from '../../content-types/model/dialects.js';
import { systemCommandOptions } from '../read/time-limits.js';
import { lastToDelete, type Retention } from './retention.js';
import { EVENTS, type EventAction, type StoredEvent } from './stored-events.js';

/** An event as readers see it. */
export interface LoggedEvent {
  readonly position: number;
  readonly uid: string;
  readonly id: number;
  readonly action: EventAction;
  readonly at: Date;
  readonly names: readonly string[];
  readonly entry: string | undefined;
}

/** The highest position whose event may have been deleted, and the last that was allocated. */
export interface Bounds {
  readonly pruned: number;
  readonly last: number;
}

const eventsIn = (db: Db) => db.collection<StoredEvent>(EVENTS);
const countersIn = (db: Db) =>
  db.collection<{ readonly _id: string; readonly id?: number; readonly pruned?: number }>('_counters');

const onPrimary = { ...systemCommandOptions, readPreference: 'primary' } as const;

/** The events after one position up to another, in order. */
export async function readEvents(db: Db, after: number, upTo: number, limit: number): Promise<readonly LoggedEvent[]> {
  const rows = await eventsIn(db)
    .find({ n: { $gt: after, $lte: upTo } }, onPrimary)
    .project<StoredEvent>({ before: 0 })
    .sort({ n: 1 })
    .limit(limit)
    .toArray();
  return rows.map(({ n = 0, uid, id, action, at, names, entry }) => ({
    position: n,
    uid,
    id,
    action,
    at,
    names,
    entry,
  }));
}

/** Both bounds of the log; 0 where there is none yet. */
export async function readBounds(db: Db): Promise<Bounds> {
  const { pruned = 0, id: last = 0 } = (await countersIn(db).findOne({ _id: EVENTS }, onPrimary)) ?? {};
  return { pruned, last };
}

/** The lowest position below which that of a write in progress will not be; undefined if there is none. */
export async function lowestFloor(db: Db): Promise<number | undefined> {
  const [lowest] = await eventsIn(db)
    .find({ floor: { $gte: 0 } }, onPrimary)
    .sort({ floor: 1 })
    .limit(1)
    .toArray();
  return lowest?.floor;
}

/** Cannot be the name of an attribute. */
const POSITION = '_position';

/** The positions at which the entry matched before the write; without a stored entry only an empty filter matches. */
export async function positionsMatchingBefore(
  db: Db,
  positions: readonly number[],
  filter: Document,
  collation: Collation | undefined,
): Promise<ReadonlySet<number>> {
  if (positions.length === 0 || Object.keys(filter).length === 0) return new Set(positions);
  const pipeline = [
    { $match: { n: { $in: [...positions] }, before: { $exists: true } } },
    { $replaceRoot: { newRoot: { $mergeObjects: ['$before', { [POSITION]: '$n' }] } } },
    { $match: filter },
    { $project: { _id: 0, [POSITION]: 1 } },
  ];
  const options = { ...systemCommandOptions, ...(collation && { collation }) };
  const rows = await eventsIn(db).aggregate<Record<typeof POSITION, number>>(pipeline, options).toArray();
  return new Set(rows.map((row) => row[POSITION]));
}

/** Deletes events beyond the retention limits. */
export async function pruneEvents(db: Db, retention: Retention): Promise<void> {
  const last = await lastToDelete(eventsIn(db), retention);
  if (last === 0) return;
  // Stored first, so that a reader can tell after a read that no event was missing.
  await countersIn(db).updateOne({ _id: EVENTS }, { $max: { pruned: last } }, systemCommandOptions);
  await eventsIn(db).deleteMany({ n: { $lte: last } }, systemCommandOptions);
}
