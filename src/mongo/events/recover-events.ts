import type { Collection, Db } from 'mongodb';
import { storedTypes } from '../../content-types/model/stored-types.js';
import type { ContentType, Registry } from '../../content-types/model/types.js';
import { systemCommandOptions } from '../read/time-limits.js';
import { LOCK, lockOf } from '../transactions/format.js';
import type { Transactions } from '../transactions/transactions.js';
import { EVENTS, PENDING, type StoredEvent } from './stored-events.js';

/**
 * How many positions below the floor of a delete the event of another delete of the entry can be: as many as are
 * allocated between the read of the entry and the record of the event, at most. Without a limit, recovery would read
 * the whole log.
 */
const EARLIER = 100_000;

/**
 * The event of another deletion counts after this position: an entry is deleted once, a working copy each time that one
 * is discarded.
 */
const earliestOf = ({ copyOf }: ContentType, floor: number): number => (copyOf === undefined ? floor - EARLIER : floor);

/** Settles the transaction that has locked an entry, if it has ended. */
export type ResolveLock = Transactions['resolveLock'];

interface Recovery {
  readonly db: Db;
  readonly registry: Registry;
  readonly resolveLock: ResolveLock;
}

/**
 * Completes the events of writes that were done, and discards the others, where the write was abandoned this many
 * milliseconds ago. Returns how many there were.
 */
export async function recoverEvents(
  recovery: Recovery,
  olderThan: number,
  complete: (event: StoredEvent) => Promise<void>,
): Promise<number> {
  const events = recovery.db.collection<StoredEvent>(EVENTS);
  const before = new Date(Date.now() - olderThan);
  const left = await events.find({ floor: { $gte: 0 }, at: { $lte: before } }, systemCommandOptions).toArray();
  for (const event of left) {
    const isEventDone = await isDone(recovery, events, event);
    if (isEventDone === undefined) continue;
    if (isEventDone) await complete(event);
    else await events.deleteOne({ _id: event._id, ...PENDING }, systemCommandOptions);
  }
  return left.length;
}

/**
 * Whether the write of an abandoned event was done; undefined while a transaction has locked the entry. If another
 * update followed, its event covers both, and if the entry was deleted since, that has its event.
 */
async function isDone(
  { db, registry, resolveLock }: Recovery,
  events: Collection<StoredEvent>,
  { uid, id, action, written, floor = 0 }: StoredEvent,
): Promise<boolean | undefined> {
  const type = storedTypes(registry).find((stored) => stored.uid === uid);
  if (type === undefined) return false;
  const { collectionName: collection } = type;
  const entries = db.collection<{ readonly _id: number; readonly updatedAt?: Date }>(collection);
  const find = () => entries.findOne({ _id: id }, { ...systemCommandOptions, projection: { updatedAt: 1, [LOCK]: 1 } });
  let stored = await find();
  const lock = stored === null ? undefined : lockOf(stored);
  if (lock !== undefined) {
    if (!(await resolveLock(lock.by, { collection, id }))) return undefined;
    stored = await find();
  }
  if (action === 'create') return stored !== null;
  if (action === 'update') return stored !== null && stored.updatedAt?.getTime() === written?.getTime();
  const deleted = { uid, id, action, n: { $gt: earliestOf(type, floor) }, floor: { $exists: false } };
  return stored === null && (await events.findOne(deleted, systemCommandOptions)) === null;
}
