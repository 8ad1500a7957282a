import { type Db, type Document, ObjectId, BSON } from 'mongodb';
import type { Collation } from '../../content-types/model/dialects.js';
import type { Registry } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import { translated } from '../errors.js';
import { systemCommandOptions } from '../read/time-limits.js';
import type { Counters } from '../write/counters.js';
import { createCompletions, type Completions, type NewRecord } from './event-completions.js';
import {
  lowestFloor,
  positionsMatchingBefore,
  pruneEvents,
  readBounds,
  readEvents,
  type Bounds,
  type LoggedEvent,
} from './logged-events.js';
import { recoverEvents, type Meet } from './recover-events.js';
import { reservePositions, type ReservedPositions } from './reserved-positions.js';
import type { Retention } from './retention.js';
import { EVENTS, openStoredEvents, type NewEvent, type StoredEvent, type StoredEvents } from './stored-events.js';

/** Milliseconds after which a write without an acknowledgement counts as abandoned. */
export const ABANDONED_MS = 20_000;

/** The writes of entries in one sequence; see docs/internals/events.md. */
export interface EventLog {
  /** Whether writes are recorded. */
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
  bounds(): Promise<Bounds>;
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
  let isOn = false;
  const positions = createPositions(db, counters);
  const stored = openStoredEvents(db);
  const { allocate, seen } = positions;
  const reserved = reservePositions({ events: stored, allocate, floor: seen, valid: ABANDONED_MS / 2 });
  const completions = createCompletions({ stored, floor: seen, next: positions.next, release: reserved.release });
  return {
    isOn: () => isOn,
    turnOn: async () => {
      if (isOn) return;
      await translated(async () => {
        await db.collection(EVENTS).createIndexes([
          { key: { n: 1 }, sparse: true },
          { key: { floor: 1 }, sparse: true },
        ]);
        await positions.readLast();
      });
      isOn = true;
    },
    open: createOpen({ stored, completions, reserved, next: positions.next, readBefore }),
    settle: completions.settle,
    horizon: () =>
      translated(async () => {
        // Readers in this process find everything that was acknowledged.
        await completions.settle();
        // The counter is read first: events that are recorded after that get higher positions.
        const last = await positions.readLast();
        return Math.min(last, (await lowestFloor(db)) ?? last);
      }),
    read: (after, upTo, limit) => translated(() => readEvents(db, after, upTo, limit)),
    bounds: () => translated(() => readBounds(db)),
    matchingBefore: (...matching) => translated(() => positionsMatchingBefore(db, ...matching)),
    recover: (registry, olderThan) => {
      const complete = async (event: StoredEvent): Promise<void> =>
        completions.complete({ event, n: event.n ?? (await positions.next()), entry: undefined });
      return translated(() => recoverEvents({ db, registry, meet }, olderThan, complete));
    },
    prune: (retention) => translated(() => pruneEvents(db, retention)),
  };
}

interface RecordingParts extends Pick<EventLogOptions, 'readBefore'> {
  readonly stored: StoredEvents;
  readonly completions: Completions;
  readonly reserved: ReservedPositions;
  readonly next: Positions['next'];
}

/** Records events, each before its write. */
function createOpen(parts: RecordingParts): EventLog['open'] {
  const { stored, completions, reserved, readBefore } = parts;
  /** A new entry cannot have been changed yet, so its position precedes those of later changes. */
  const recordCreation = async (event: NewEvent): Promise<StoredEvent> => {
    await completions.makeRoom();
    const { position: n, isValid, end } = await reserved.take();
    const document = { ...addedOf(event), _id: new ObjectId(), n, floor: n - 1 };
    try {
      await stored.insert(document);
      // An insert without an answer may still be executed: readers wait for recovery.
      end();
    } finally {
      completions.settleSoon();
    }
    if (!isValid()) throw new AppError('unavailable');
    return document;
  };
  return async (event) => {
    if (event.action === 'create') return openEvent(parts, await recordCreation(event));
    const before = sizedBefore(await readBefore?.(event.type, event.id));
    return openEvent(parts, await completions.record({ ...addedOf(event), ...before }));
  };
}

/** The positions of events, which all processes allocate from one counter. */
function createPositions(db: Db, counters: Counters) {
  let seen = 0;
  const see = (position: number): number => {
    seen = Math.max(seen, position);
    return position;
  };
  /** Allocates consecutive positions and returns the first. */
  const allocate = async (ids: number): Promise<number> => see((await counters.reserve(EVENTS, { ids, ranks: 0 })).id);
  return {
    /** The highest position that this process has seen; all new ones are higher. */
    seen: (): number => seen,
    /** The last position of all processes. */
    readLast: async (): Promise<number> => {
      const counter = await db
        .collection<{ readonly _id: string; readonly id?: number }>('_counters')
        .findOne({ _id: EVENTS }, systemCommandOptions);
      return see(counter?.id ?? 0);
    },
    allocate,
    next: (): Promise<number> => allocate(1),
  };
}

type Positions = ReturnType<typeof createPositions>;

function openEvent(
  { stored, completions, next }: Pick<RecordingParts, 'stored' | 'completions' | 'next'>,
  recorded: StoredEvent,
) {
  let { n: position } = recorded;
  /** Allocates the position, after the write. Reads after this include all writes with lower positions. */
  const confirm = async (): Promise<void> => {
    position ??= await next();
  };
  return {
    confirm,
    /** Publishes the event. Without an entry, readers of the log read it. */
    complete: async (entry: string | undefined): Promise<void> => {
      await confirm();
      const completion = { event: recorded, n: position ?? 0, entry: limited(entry) };
      // After a crash, recovery finds the entry. It discards no event that is younger than this.
      const isYoung = Date.now() - recorded.at.getTime() < ABANDONED_MS / 2;
      if (recorded.action !== 'create' || entry !== undefined || !isYoung) return completions.complete(completion);
      completions.collect(completion);
    },
    /** Deletes the event of a refused write. */
    discard: (): Promise<void> => stored.remove(recorded._id),
  };
}

/** An event whose write is in progress: readers of the log wait for it. */
export type OpenEvent = ReturnType<typeof openEvent>;

/** Bytes of an entry above which readers of the log read it: a document holds 16 MB. */
const MAX_ENTRY = 4_000_000;

/** What is stored of a new event besides its position. */
const addedOf = ({ type, ...event }: NewEvent): NewRecord => ({
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
