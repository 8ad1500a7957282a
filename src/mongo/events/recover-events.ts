import type { Collection, Db } from 'mongodb';
import type { Registry } from '../../content-types/model/types.js';
import { systemCommandOptions } from '../read/time-limits.js';
import { entriesInBatches } from '../write/batch/undecided.js';
import { EVENTS, PENDING, type StoredEvent } from './stored-events.js';

/**
 * How many positions below the floor of a delete the event of another delete of the entry can be: as many as are
 * allocated between the read of the entry and the record of the event, at most. Without a limit, recovery would read
 * the whole log.
 */
const EARLIER = 100_000;

/**
 * Completes the events of writes that were done, and discards the others, where the write was abandoned this many
 * milliseconds ago. Returns how many there were.
 */
export async function recoverEvents(
  db: Db,
  registry: Registry,
  olderThan: number,
  complete: (event: StoredEvent) => Promise<void>,
): Promise<number> {
  const events = db.collection<StoredEvent>(EVENTS);
  const before = new Date(Date.now() - olderThan);
  const left = await events.find({ floor: { $gte: 0 }, at: { $lte: before } }, systemCommandOptions).toArray();
  const undecided = left.length === 0 ? new Set<string>() : await entriesInBatches(db);
  for (const event of left) {
    if (undecided.has(`${event.uid}:${event.id}`)) continue;
    if (await isDone(db, events, event, registry)) await complete(event);
    else await events.deleteOne({ _id: event._id, ...PENDING }, systemCommandOptions);
  }
  return left.length;
}

/**
 * Was the write of an abandoned event done? A creation may have been acknowledged, and the entry deleted since. Other
 * writes were not acknowledged; if another update followed, its event covers both, and if another process deleted the
 * entry, it has that event.
 */
async function isDone(
  db: Db,
  events: Collection<StoredEvent>,
  { uid, id, action, written, n, floor = 0 }: StoredEvent,
  { contentTypes }: Registry,
): Promise<boolean> {
  const type = contentTypes.get(uid);
  if (type === undefined) return false;
  const stored = await db
    .collection<{ readonly _id: number; readonly updatedAt?: Date }>(type.collectionName)
    .findOne({ _id: id }, { ...systemCommandOptions, projection: { updatedAt: 1 } });
  const deletes = { uid, id, action: 'delete' } as const;
  if (action === 'delete') {
    const completed = { ...deletes, n: { $gt: floor - EARLIER }, floor: { $exists: false } };
    return stored === null && (await events.findOne(completed, systemCommandOptions)) === null;
  }
  if (action === 'update') return stored !== null && stored.updatedAt?.getTime() === written?.getTime();
  const after = [{ n: { $gt: n ?? 0 } }, { floor: { $gte: 0 } }];
  return stored !== null || (await events.findOne({ ...deletes, $or: after }, systemCommandOptions)) !== null;
}
