import { type Db, type Document, ObjectId, BSON } from 'mongodb';
import type { Collation } from '../../content-types/model/dialects.js';
import type { Registry } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import { coalesce } from '../coordination/coalesce.js';
import { translated } from '../errors.js';
import { systemCommandOptions } from '../read/time-limits.js';
import type { Counters } from '../write/counters.js';
import { canInsertTogether } from '../write/insert-together.js';
import { recoverEvents, type Meet } from './recover-events.js';
import { reservePositions } from './reserved-positions.js';
import { lastToDelete, type Retention } from './retention.js';
import {
  EVENTS,
  openStoredEvents,
  type Completion,
  type EventAction,
  type NewEvent,
  type StoredEvent,
  type UnstoredEvent,
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

/** The event of a new entry, which is inserted before the entry or with it. */
export interface PreparedEvent extends OpenEvent, UnstoredEvent {}

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
  /** Whether writes are recorded. */
  isOn(): boolean;
  /** Makes this process record its writes. */
  turnOn(): Promise<void>;
  /** Records an event before its write. @throws AppError unavailable: then the write must not be executed */
  open(event: NewEvent): Promise<OpenEvent>;
  /** Like `open`, for a new entry whose event the caller inserts. @throws AppError unavailable */
  prepare(event: NewEvent): Promise<PreparedEvent>;
  /** Inserts prepared events. @throws AppError unavailable */
  insert(documents: readonly StoredEvent[]): Promise<void>;
  /** Whether one command can insert events and entries. */
  isJoined(): boolean;
  /** Completes the events of acknowledged writes. */
  settle(): Promise<void>;
  /** The last position that readers may pass: no event can appear at or below it any more. */
  horizon(): Promise<number>;
  /** The events after one position up to another, in order. */
  read(after: number, upTo: number, limit: number): Promise<readonly LoggedEvent[]>;
  /** The highest position whose event may have been deleted, and the last that was allocated. */
  bounds(): Promise<{ readonly pruned: number; readonly last: number }>;
  /** The positions at which the entry matched before the write; without `recordBefore` only an empty filter matches. */
  matchingBefore(
    positions: readonly number[],
    filter: Document,
    collation: Collation | undefined,
  ): Promise<ReadonlySet<number>>;
  /** Completes or discards events of writes that were abandoned this many milliseconds ago; returns their number. */
  recover(registry: Registry, olderThan: number): Promise<number>;
  /** Deletes events beyond the retention limits. */
  prune(retention: Retention): Promise<void>;
}

/** Reads a stored entry; undefined if there is none. */
type ReadStored = (type: NewEvent['type'], id: number) => Promise<Document | undefined>;

interface EventLogOptions {
  /** See `Transactions`; default: an entry that is locked stays so. */
  readonly meet?: Meet;
  /** Reads the entry before a write, for readers that may see only some entries. */
  readonly readBefore?: ReadStored | undefined;
}

export function openEventLog(
  db: Db,
  counters: Counters,
  { meet = () => Promise.resolve(false), readBefore }: EventLogOptions = {},
): EventLog {
  const events = db.collection<StoredEvent>(EVENTS);
  let [isOn, isJoined] = [false, false];
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
    const recorded = { ...event, _id: new ObjectId(), floor: seen };
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
  /** @param wasPassed whether readers may have passed its position before it was stored */
  const openedOf = (recorded: StoredEvent, wasPassed: () => boolean): OpenEvent => {
    let { n: position } = recorded;
    const confirm = async (): Promise<void> => {
      position ??= await next();
    };
    return {
      confirm,
      complete: async (entry) => {
        await confirm();
        const completion = { event: recorded, n: position ?? 0, entry: limited(entry) };
        if (wasPassed()) {
          await completeAgain(completion);
          return stored.remove(recorded._id);
        }
        // After a crash, recovery finds the entry. It discards no event that is younger than this.
        const isYoung = Date.now() - recorded.at.getTime() < ABANDONED_MS / 2;
        if (recorded.action !== 'create' || entry !== undefined || !isYoung) return complete(completion);
        collected.push(completion);
        scheduleSettle();
      },
      discard: () => stored.remove(recorded._id),
    };
  };

  const insert = async (documents: readonly StoredEvent[]): Promise<void> => {
    await Promise.all(documents.map(stored.insert));
  };
  /** A new entry cannot have been changed yet, so its position precedes those of later changes. */
  const prepare = async (event: NewEvent): Promise<PreparedEvent> => {
    if (collected.length >= MAX_COLLECTED) await settle(undefined);
    const { position: n, isValid, end } = await reserved.take();
    const document = { ...addedOf(event), _id: new ObjectId(), n, floor: n - 1 };
    let wasPassed = false;
    return {
      ...openedOf(document, () => wasPassed),
      document,
      isValid,
      end: (isAnswered) => {
        wasPassed = !isValid();
        if (isAnswered) end();
        scheduleSettle();
      },
    };
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
        isJoined = await canInsertTogether(db, EVENTS);
      });
      isOn = true;
    },
    isJoined: () => isJoined,
    insert,
    prepare,
    open: async (event) => {
      if (event.action !== 'create') {
        const before = sizedBefore(await readBefore?.(event.type, event.id));
        return openedOf(await record({ ...addedOf(event), ...before }), () => false);
      }
      const prepared = await prepare(event);
      try {
        await insert([prepared.document]);
        if (!prepared.isValid()) throw new AppError('unavailable');
      } finally {
        prepared.end(true);
      }
      return prepared;
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
    matchingBefore: (positions, filter, collation) =>
      translated(async () => {
        if (positions.length === 0 || Object.keys(filter).length === 0) return new Set(positions);
        const pipeline = [
          { $match: { n: { $in: [...positions] }, before: { $exists: true } } },
          { $replaceRoot: { newRoot: { $mergeObjects: ['$before', { [POSITION]: '$n' }] } } },
          { $match: filter },
          { $project: { _id: 0, [POSITION]: 1 } },
        ];
        const rows = await events
          .aggregate<Record<typeof POSITION, number>>(pipeline, {
            ...systemCommandOptions,
            ...(collation && { collation }),
          })
          .toArray();
        return new Set(rows.map((row) => row[POSITION]));
      }),
    recover: (registry, olderThan) => {
      const completeAtOwn = async (event: StoredEvent): Promise<void> =>
        complete({ event, n: event.n ?? (await next()), entry: undefined });
      return translated(() => recoverEvents({ db, registry, meet }, olderThan, completeAtOwn));
    },
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

/** Bytes of an entry above which readers of the log read it: a document holds 16 MB. */
const MAX_ENTRY = 4_000_000;

/** What is stored of a new event besides its position. */
const addedOf = ({ type, ...event }: NewEvent): Omit<StoredEvent, '_id' | 'floor'> => ({
  ...sized(event),
  uid: type.uid,
  at: new Date(),
});

/** An entry that is too large is omitted, so no filter matches it. */
const sizedBefore = (before: Document | undefined): Pick<StoredEvent, 'before'> =>
  before === undefined || BSON.calculateObjectSize(before) > MAX_ENTRY ? {} : { before };

/** Undefined if it is too large. */
const limited = (entry: string | undefined): string | undefined =>
  entry === undefined || Buffer.byteLength(entry) > MAX_ENTRY ? undefined : entry;

/** Omits undefined values, which the driver would store as null. */
function sized({ entry, written, ...event }: Omit<NewEvent, 'type'>): Omit<NewEvent, 'type'> {
  const stored = limited(entry);
  const isCompared = event.action === 'update' && written !== undefined;
  return { ...event, ...(isCompared && { written }), ...(stored !== undefined && { entry: stored }) };
}
