import { BSON, type Collection, type Db, type Document, ObjectId } from 'mongodb';
import type { Registry } from '../../content-types/model/types.js';
import { coalesce } from '../coordination/coalesce.js';
import { translated } from '../errors.js';
import { systemCommandOptions } from '../read/time-limits.js';
import type { Counters } from '../write/counters.js';
import { entriesInBatches } from '../write/batch/undecided.js';
import { reservePositions } from './reserved-positions.js';
import { lastToDelete, type Retention } from './retention.js';
import {
  EVENTS,
  openStoredEvents,
  PENDING,
  type Completion,
  type EventAction,
  type NewEvent,
  type StoredEvent,
} from './stored-events.js';

/** Milliseconds after which a write without an acknowledgement counts as abandoned. */
export const ABANDONED_MS = 20_000;
/** Milliseconds for which completed creations are collected, and how many there may be. */
const [COLLECT_MS, MAX_COLLECTED] = [250, 1000];

/** An event whose write is in progress: readers of the log wait for it. */
export interface OpenEvent {
  /** Allocates the position, after the write. Reads after this include all writes with lower positions. */
  confirm(): Promise<void>;
  /** Publishes the event. Without an entry, readers of the log read it. */
  complete(entry: string | undefined): Promise<void>;
  /** Deletes the event of a refused write. */
  discard(): Promise<void>;
}

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

/** The writes of entries in one sequence; see docs/internals/events.md. */
export interface EventLog {
  /** Are writes recorded? */
  isOn(): boolean;
  /** Makes this process record its writes. */
  turnOn(): Promise<void>;
  /** Records an event before its write. @throws AppError unavailable: then the write must not be executed */
  open(event: NewEvent): Promise<OpenEvent>;
  /** Completes the events of acknowledged writes. */
  settle(): Promise<void>;
  /** The last position that readers may pass: no event can appear at or below it any more. */
  horizon(): Promise<number>;
  /** The events after one position up to another, in order. */
  read(after: number, upTo: number, limit: number): Promise<readonly LoggedEvent[]>;
  /** The highest position whose event may have been deleted, and the last that was allocated. */
  bounds(): Promise<{ readonly pruned: number; readonly last: number }>;
  /** The positions at which the entry matched a filter before the write. Without `recordBefore` none, unless the filter is empty. */
  matchingBefore(positions: readonly number[], filter: Document): Promise<ReadonlySet<number>>;
  /** Completes or discards events of writes that were abandoned this many milliseconds ago; returns their number. */
  recover(registry: Registry, olderThan: number): Promise<number>;
  /** Deletes events beyond the retention limits. */
  prune(retention: Retention): Promise<void>;
}

/** Reads a stored entry; undefined if there is none. */
export type ReadStored = (type: NewEvent['type'], id: number) => Promise<Document | undefined>;

/** Bytes of an entry above which readers of the log read it: a document holds 16 MB. */
const MAX_ENTRY = 4_000_000;

/**
 * How many positions below the floor of a delete the event of another delete of the entry can be: as many as are allocated between the
 * read of the entry and the record of the event, at most. Without a limit, recovery would read the whole log.
 */
const EARLIER = 100_000;

/** @param readBefore reads the entry before a write, for readers that may see only some entries; undefined: there are none */
export function openEventLog(db: Db, counters: Counters, readBefore?: ReadStored): EventLog {
  const events = db.collection<StoredEvent>(EVENTS);
  let isOn = false;
  /** The highest position that this process has seen; all new positions are higher. */
  let seen = 0;

  const numbers = db.collection<{ readonly _id: string; readonly id?: number; readonly pruned?: number }>('_counters');
  const readCounter = async (): Promise<number> => {
    const counter = await numbers.findOne({ _id: EVENTS }, systemCommandOptions);
    seen = Math.max(seen, counter?.id ?? 0);
    return counter?.id ?? 0;
  };
  const allocate = async (ids: number): Promise<number> => {
    const { id } = await counters.reserve(EVENTS, { ids, ranks: 0 });
    seen = Math.max(seen, id);
    return id;
  };
  const next = (): Promise<number> => allocate(1);
  const stored = openStoredEvents(db);
  const reserved = reservePositions({ events: stored, allocate, floor: () => seen, valid: ABANDONED_MS / 2 });
  const record = async (event: Omit<StoredEvent, '_id' | 'floor'>): Promise<StoredEvent> => {
    const recorded = { ...event, _id: new ObjectId(), floor: event.n === undefined ? seen : event.n - 1 };
    await stored.insert(recorded);
    return recorded;
  };
  const complete = async (completion: Completion): Promise<void> => {
    if (!(await stored.complete(completion))) await completeAgain(completion);
  };
  const completeAgain = async (completion: Completion): Promise<void> => {
    // Recovery discarded the event because the write took so long. Readers may have passed its position.
    const { n: _passed, ...event } = completion.event;
    const again = await record(event);
    await complete({ ...completion, event: again, n: await next() });
  };
  /** Acknowledged creations, whose events need nothing but the removal of their `floor`. */
  let collected: Completion[] = [];
  let timer: NodeJS.Timeout | undefined;
  const settle = coalesce(async (requests: readonly undefined[]) => {
    clearTimeout(timer);
    timer = undefined;
    const completions = collected;
    collected = [];
    try {
      await reserved.release();
      if (completions.length > 0) {
        const existed = await stored.completeAll(completions);
        await Promise.all(completions.filter((_, index) => existed[index] === false).map(completeAgain));
      }
    } catch (error) {
      collected.push(...completions);
      scheduleSettle();
      throw error;
    }
    return requests.map(() => undefined);
  });
  const scheduleSettle = (): void => {
    timer ??= setTimeout(() => void settle(undefined).catch(() => undefined), COLLECT_MS).unref();
  };
  const recordNew = async (event: Omit<StoredEvent, '_id' | 'floor'>): Promise<StoredEvent> => {
    if (collected.length >= MAX_COLLECTED) await settle(undefined);
    return reserved.use((n) => record({ ...event, n })).finally(scheduleSettle);
  };

  return {
    isOn: () => isOn,
    turnOn: async () => {
      if (isOn) return;
      await translated(async () => {
        await events.createIndexes([
          { key: { n: 1 }, sparse: true },
          { key: { floor: 1 }, sparse: true },
        ]);
        await readCounter();
      });
      isOn = true;
    },
    open: async ({ type, ...event }) => {
      // A new entry cannot have been changed yet, so its position precedes those of later changes.
      const isNew = event.action === 'create';
      const added = { ...sized(event), uid: type.uid, at: new Date() };
      const recorded = await (isNew
        ? recordNew(added)
        : record({ ...added, ...sizedBefore(await readBefore?.(type, event.id)) }));
      let { n: position } = recorded;
      const confirm = async (): Promise<void> => {
        position ??= await next();
      };
      return {
        confirm,
        complete: async (entry) => {
          await confirm();
          const completion = { event: recorded, n: position ?? 0, entry: limited(entry) };
          // If the process crashes before it is completed, recovery finds the entry. It discards no event that is younger than this.
          const isYoung = Date.now() - recorded.at.getTime() < ABANDONED_MS / 2;
          if (!isNew || entry !== undefined || !isYoung) return complete(completion);
          collected.push(completion);
          scheduleSettle();
        },
        discard: () => stored.remove(recorded._id),
      };
    },
    settle: () => settle(undefined),
    horizon: () =>
      translated(async () => {
        // Readers in this process find everything that was acknowledged.
        await settle(undefined);
        // The counter is read first: events that are recorded after that get higher positions.
        const last = await readCounter();
        const [lowest] = await events
          .find({ floor: { $gte: 0 } }, { ...systemCommandOptions, readPreference: 'primary' })
          .sort({ floor: 1 })
          .limit(1)
          .toArray();
        return Math.min(last, lowest?.floor ?? last);
      }),
    read: (after, upTo, limit) =>
      translated(async () => {
        const rows = await events
          .find({ n: { $gt: after, $lte: upTo } }, { ...systemCommandOptions, readPreference: 'primary' })
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
      }),
    bounds: () =>
      translated(async () => {
        const options = { ...systemCommandOptions, readPreference: 'primary' } as const;
        const { pruned = 0, id: last = 0 } = (await numbers.findOne({ _id: EVENTS }, options)) ?? {};
        return { pruned, last };
      }),
    matchingBefore: (positions, filter) =>
      translated(async () => {
        if (positions.length === 0 || Object.keys(filter).length === 0) return new Set(positions);
        const pipeline = [
          { $match: { n: { $in: [...positions] }, before: { $exists: true } } },
          { $replaceRoot: { newRoot: { $mergeObjects: ['$before', { [POSITION]: '$n' }] } } },
          { $match: filter },
          { $project: { _id: 0, [POSITION]: 1 } },
        ];
        const rows = await events.aggregate<Record<typeof POSITION, number>>(pipeline, systemCommandOptions).toArray();
        return new Set(rows.map((row) => row[POSITION]));
      }),
    recover: (registry, olderThan) =>
      translated(async () => {
        const before = new Date(Date.now() - olderThan);
        const left = await events.find({ floor: { $gte: 0 }, at: { $lte: before } }, systemCommandOptions).toArray();
        const undecided = left.length === 0 ? new Set<string>() : await entriesInBatches(db);
        for (const event of left) {
          if (undecided.has(`${event.uid}:${event.id}`)) continue;
          if (await isDone(db, events, event, registry))
            await complete({ event, n: event.n ?? (await next()), entry: undefined });
          else await events.deleteOne({ _id: event._id, ...PENDING }, systemCommandOptions);
        }
        return left.length;
      }),
    prune: (retention) =>
      translated(async () => {
        const last = await lastToDelete(events, retention);
        if (last === 0) return;
        // Stored first, so that a reader can tell after a read that no event was missing.
        await numbers.updateOne({ _id: EVENTS }, { $max: { pruned: last } }, systemCommandOptions);
        await events.deleteMany({ n: { $lte: last } }, systemCommandOptions);
      }),
  };
}

/** Cannot be the name of an attribute. */
const POSITION = '_position';

/** An entry that is too large is omitted, so no filter matches it. */
const sizedBefore = (before: Document | undefined): Pick<StoredEvent, 'before'> =>
  before === undefined || BSON.calculateObjectSize(before) > MAX_ENTRY ? {} : { before };

const limited = (entry: string | undefined): string | undefined =>
  entry === undefined || Buffer.byteLength(entry) > MAX_ENTRY ? undefined : entry;

/** Omits undefined values, which the driver would store as null. */
function sized({ entry, written, ...event }: Omit<NewEvent, 'type'>): Omit<NewEvent, 'type'> {
  const stored = limited(entry);
  const isCompared = event.action === 'update' && written !== undefined;
  return { ...event, ...(isCompared && { written }), ...(stored !== undefined && { entry: stored }) };
}

/**
 * Was the write of an abandoned event done? A creation may have been acknowledged, and the entry deleted since. Other writes were not
 * acknowledged; if another update followed, its event covers both, and if another process deleted the entry, it has that event.
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
