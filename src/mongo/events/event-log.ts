import { BSON, type Db, type Document, ObjectId } from 'mongodb';
import type { ContentType, Registry } from '../../content-types/model/types.js';
import { coalesce } from '../coordination/coalesce.js';
import { translated } from '../errors.js';
import { systemCommandOptions } from '../read/time-limits.js';
import { type Counters, withoutFlush } from '../write/counters.js';
import { lastToDelete, type Retention } from './retention.js';

export type EventAction = 'create' | 'update' | 'delete';

/** A write that is about to be executed. */
export interface NewEvent {
  readonly type: Pick<ContentType, 'uid' | 'collectionName' | 'attributes'>;
  readonly id: number;
  readonly action: EventAction;
  /** The `updatedAt` that the write sets; recovery recognises the write by it. */
  readonly written?: Date | undefined;
  /** The names of Strapi's events that webhooks receive; empty: none receives it. */
  readonly names: readonly string[];
  /** The entry as JSON, where it is available before the write. */
  readonly entry?: string | undefined;
}

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
  /** The last position that readers may pass: no event can appear at or below it any more. */
  horizon(): Promise<number>;
  /** The events after one position up to another, in order. */
  read(after: number, upTo: number, limit: number): Promise<readonly LoggedEvent[]>;
  /** The highest position whose event may have been deleted. */
  pruned(): Promise<number>;
  /** The positions at which the entry matched a filter before the write. Without `recordBefore` none, unless the filter is empty. */
  matchingBefore(positions: readonly number[], filter: Document): Promise<ReadonlySet<number>>;
  /** Completes or discards events of writes that were abandoned this many milliseconds ago; returns their number. */
  recover(registry: Registry, olderThan: number): Promise<number>;
  /** Deletes events beyond the retention limits. */
  prune(retention: Retention): Promise<void>;
}

/** The stored event; while the write is in progress it has a `floor`, below which its position will not be. */
interface StoredEvent extends Omit<NewEvent, 'type'> {
  readonly _id: ObjectId;
  readonly uid: string;
  readonly at: Date;
  readonly floor?: number;
  readonly n?: number;
  /** The stored entry before the write. */
  readonly before?: Document;
}

/** Reads a stored entry; undefined if there is none. */
export type ReadStored = (type: NewEvent['type'], id: number) => Promise<Document | undefined>;

interface Completion {
  readonly event: StoredEvent;
  readonly n: number;
  readonly entry: string | undefined;
}

const EVENTS = '_events';
const PENDING = { floor: { $exists: true } } as const;
/** Bytes of an entry above which readers of the log read it: a document holds 16 MB. */
const MAX_ENTRY = 4_000_000;

/** @param readBefore reads the entry before a write, for readers that may see only some entries; undefined: there are none */
export function openEventLog(db: Db, counters: Counters, readBefore?: ReadStored): EventLog {
  const events = db.collection<StoredEvent>(EVENTS);
  // The event is written before its entry, so the flush of the entry includes it.
  const unflushed = db.collection<StoredEvent>(EVENTS, withoutFlush(db));
  let isOn = false;
  /** The highest position that this process has seen; all new positions are higher. */
  let seen = 0;

  const numbers = db.collection<{ readonly _id: string; readonly id?: number; readonly pruned?: number }>('_counters');
  const readCounter = async (): Promise<number> => {
    const counter = await numbers.findOne({ _id: EVENTS }, systemCommandOptions);
    seen = Math.max(seen, counter?.id ?? 0);
    return counter?.id ?? 0;
  };
  const next = async (): Promise<number> => {
    const { id } = await counters.reserve(EVENTS, { ids: 1, ranks: 0 });
    seen = Math.max(seen, id);
    return id;
  };
  const insert = coalesce(async (added: readonly StoredEvent[]) => {
    await translated(() => unflushed.insertMany([...added], { ...systemCommandOptions, ordered: false }));
    return added.map(() => undefined);
  });
  const remove = coalesce(async (ids: readonly ObjectId[]) => {
    await translated(() => unflushed.deleteMany({ _id: { $in: [...ids] } }, systemCommandOptions));
    return ids.map(() => undefined);
  });
  /** Completes several events; returns for each whether it still existed. */
  const completeAll = coalesce(async (completions: readonly Completion[]): Promise<readonly boolean[]> => {
    const $unset = { floor: '', written: '' } as const;
    const changed = completions.flatMap(({ event: { _id, n: allocated }, n, entry }) => {
      const set = { ...(allocated === undefined && { n }), ...(entry !== undefined && { entry }) };
      return Object.keys(set).length === 0 ? [] : [{ _id, update: { $set: set, $unset } }];
    });
    const others = new Set(changed.map(({ _id }) => _id));
    // The event of a creation already has its position, so one command is enough.
    const created = completions.map(({ event }) => event._id).filter((id) => !others.has(id));
    const operations = [
      ...changed.map(({ _id, update }) => ({ updateOne: { filter: { _id, ...PENDING }, update } })),
      ...(created.length > 0
        ? [{ updateMany: { filter: { _id: { $in: created }, ...PENDING }, update: { $unset } } }]
        : []),
    ];
    const { matchedCount } = await translated(() =>
      unflushed.bulkWrite(operations, { ...systemCommandOptions, ordered: false }),
    );
    if (matchedCount === completions.length) return completions.map(() => true);
    const ids = completions.map(({ event }) => event._id);
    const stored = await translated(() => events.distinct('_id', { _id: { $in: ids } }, systemCommandOptions));
    const storedIds = new Set(stored.map(String));
    return ids.map((id) => storedIds.has(String(id)));
  });
  const record = async (event: Omit<StoredEvent, '_id' | 'floor'>): Promise<StoredEvent> => {
    const stored = { ...event, _id: new ObjectId(), floor: event.n === undefined ? seen : event.n - 1 };
    await insert(stored);
    return stored;
  };
  const complete = async (completion: Completion): Promise<void> => {
    if (await completeAll(completion)) return;
    // Recovery discarded the event because the write took so long. Readers may have passed its position.
    const { n: _passed, ...event } = completion.event;
    const again = await record(event);
    await complete({ ...completion, event: again, n: await next() });
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
      const allocated = isNew ? { n: await next() } : sizedBefore(await readBefore?.(type, event.id));
      const stored = await record({ ...sized(event), ...allocated, uid: type.uid, at: new Date() });
      let { n: position } = stored;
      const confirm = async (): Promise<void> => {
        position ??= await next();
      };
      return {
        confirm,
        complete: async (entry) => {
          await confirm();
          await complete({ event: stored, n: position ?? 0, entry: limited(entry) });
        },
        discard: () => remove(stored._id),
      };
    },
    horizon: () =>
      translated(async () => {
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
    pruned: () =>
      translated(async () => {
        const options = { ...systemCommandOptions, readPreference: 'primary' } as const;
        return (await numbers.findOne({ _id: EVENTS }, options))?.pruned ?? 0;
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
        for (const event of left) {
          if (await isDone(db, event, registry))
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
  entry === undefined || entry.length > MAX_ENTRY ? undefined : entry;

/** Omits undefined values, which the driver would store as null. */
function sized({ entry, written, ...event }: Omit<NewEvent, 'type'>): Omit<NewEvent, 'type'> {
  const stored = limited(entry);
  return { ...event, ...(written !== undefined && { written }), ...(stored !== undefined && { entry: stored }) };
}

/**
 * Was the write of an abandoned event done? It was not acknowledged. If another update followed, the event of that
 * update covers it.
 */
async function isDone(db: Db, { uid, id, action, written }: StoredEvent, { contentTypes }: Registry): Promise<boolean> {
  const type = contentTypes.get(uid);
  if (type === undefined) return false;
  const stored = await db
    .collection<{ readonly _id: number; readonly updatedAt?: Date }>(type.collectionName)
    .findOne({ _id: id }, { ...systemCommandOptions, projection: { updatedAt: 1 } });
  if (action === 'delete') return stored === null;
  if (stored === null) return false;
  return action === 'create' || stored.updatedAt?.getTime() === written?.getTime();
}
