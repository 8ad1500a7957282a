import { type Db, type Document, ObjectId, BSON } from 'mongodb';
import type { Registry } from '../../content-types/model/types.js';
import { translated } from '../errors.js';
import type { Counters } from '../write/counters.js';
import { openLoggedEvents } from './logged-events.js';
import { recoverEvents, type ResolveLock } from './recover-events.js';
import { EVENTS, openStoredEvents, type Completion, type NewEvent, type StoredEvent } from './stored-events.js';

/** Milliseconds after which a write without an acknowledgement counts as abandoned. */
export const ABANDONED_MS = 20_000;
/**
 * Milliseconds for which readers wait for a write that is in progress: with the other pauses of a feed, 2 s at most.
 */
const WAIT_MS = 700;

/** Reads a stored entry; undefined if there is none. */
type ReadStored = (type: NewEvent['type'], id: number) => Promise<Document | undefined>;

interface EventLogOptions {
  /** See `Transactions`; default: an entry that is locked stays so. */
  readonly resolveLock?: ResolveLock;
  /** Reads the entry before a write, for readers that may see only some entries. */
  readonly readBefore?: ReadStored | undefined;
  /** Milliseconds for which readers wait for a write that is in progress. */
  readonly longestWait?: number;
}

/** The writes of entries in one sequence; see docs/internals/events.md. */
export function openEventLog(
  db: Db,
  counters: Counters,
  { resolveLock = () => Promise.resolve(false), readBefore, longestWait = WAIT_MS }: EventLogOptions = {},
) {
  let isOn = false;
  const logged = openLoggedEvents(db);
  const stored = openStoredEvents(db);
  const events = db.collection<StoredEvent>(EVENTS);
  /** The highest position that this process has seen; all new ones are higher. */
  let seen = 0;
  const see = (position: number): number => {
    seen = Math.max(seen, position);
    return position;
  };
  /** The last position of all processes, which allocate them from one counter. */
  const readLast = async (): Promise<number> => see((await logged.bounds()).last);
  const nextPosition = async (): Promise<number> => see((await counters.reserve(EVENTS, { ids: 1, ranks: 0 })).id);
  /** Stores a new event, and returns it as it is stored. */
  const add = async (event: NewRecord): Promise<StoredEvent> => {
    const added = { ...event, _id: new ObjectId(), floor: seen };
    await orRemove(added, () => stored.insert(added));
    return added;
  };
  /** Does a part of recording an event. If that fails, its write is not executed. */
  const orRemove = async <T>({ _id }: StoredEvent, work: () => Promise<T>): Promise<T> =>
    work().catch(async (error: unknown) => {
      await stored.remove(_id).catch(() => undefined);
      throw error;
    });
  /**
   * Publishes an event. If the write took long, readers have passed its position, or recovery has discarded the event:
   * it gets another position. Later writes may have lower ones by then, so readers read the entry as it is.
   */
  const complete = async (completion: Completion): Promise<void> => {
    const outcome = await stored.complete(completion);
    if (outcome === 'completed') return;
    const { n: _passed, ...event } = completion.event;
    const isRaised = outcome === 'raised';
    const open = isRaised ? completion.event : await add(event);
    const entry = isRaised && event.action !== 'delete' ? undefined : completion.entry;
    await complete({ event: open, n: await nextPosition(), entry });
  };
  /** The lowest floor of an event in progress that the last readers have seen, and since when. */
  let lowest = { floor: Number.POSITIVE_INFINITY, since: 0 };
  /** Whether readers have waited for long enough for the event that has this floor. */
  const hasWaited = (floor: number): boolean => {
    const now = performance.now();
    if (floor !== lowest.floor) lowest = { floor, since: now };
    return now - lowest.since >= longestWait;
  };
  /** An event whose write is in progress: readers of the log wait for it. */
  const inProgress = (event: StoredEvent) => {
    let { n: position } = event;
    return {
      /** Allocates the position, after the write. Reads after this include all writes with lower positions. */
      confirm: async (): Promise<void> => {
        position ??= await nextPosition();
      },
      /** Publishes the event. Without an entry, readers of the log read it. */
      complete: async (entry: string | undefined): Promise<void> =>
        complete({ event, n: position ?? (await nextPosition()), entry: limited(entry) }),
      /** Deletes the event of a refused write. */
      discard: (): Promise<void> => stored.remove(event._id),
    };
  };
  return {
    ...logged,
    /** Whether writes are recorded. */
    isOn: (): boolean => isOn,
    /** Makes this process record its writes. */
    turnOn: async (): Promise<void> => {
      if (isOn) return;
      await translated(async () => {
        await events.createIndexes([
          { key: { n: 1 }, sparse: true },
          { key: { floor: 1 }, sparse: true },
        ]);
        await readLast();
      });
      isOn = true;
    },
    /** Records an event before its write. @throws AppError unavailable: then the write must not be executed */
    open: async (event: NewEvent) => {
      const isNew = event.action === 'create';
      const before = isNew ? {} : sizedBefore(await readBefore?.(event.type, event.id));
      const added = await add({ ...recordOf(event), ...before });
      if (!isNew) return inProgress(added);
      // Nobody can have changed a new entry, so its position precedes those of later changes, also after a crash.
      return orRemove(added, async () => {
        const n = await nextPosition();
        await stored.place({ event: added, n });
        return inProgress({ ...added, n });
      });
    },
    /** The last position that readers may pass: no event can appear at or below it any more. */
    horizon: (): Promise<number> =>
      translated(async () => {
        // The counter is read first: events that are recorded after that get higher positions.
        const last = await readLast();
        const floor = await stored.lowestFloor();
        if (floor === undefined || floor >= last) return last;
        if (!hasWaited(floor)) return floor;
        // Its write takes long, or its process is dead: readers go on, and its position will be above theirs.
        await stored.raise(floor, last, new Date(Date.now() - longestWait));
        return Math.min(last, (await stored.lowestFloor()) ?? last);
      }),
    /** Completes or discards events of writes that were abandoned this many milliseconds ago; returns their number. */
    recover: (registry: Registry, olderThan: number): Promise<number> =>
      translated(() =>
        recoverEvents({ db, registry, resolveLock }, olderThan, async (event) =>
          complete({ event, n: event.n ?? (await nextPosition()), entry: undefined }),
        ),
      ),
  };
}

export type EventLog = ReturnType<typeof openEventLog>;

export type OpenEvent = Awaited<ReturnType<EventLog['open']>>;

type NewRecord = Omit<StoredEvent, '_id' | 'floor'>;

/** Bytes of an entry above which readers of the log read it: a document holds 16 MB. */
const MAX_ENTRY = 4_000_000;

/**
 * What is stored of a new event besides its position. Undefined values are omitted: the driver would store them as
 * null.
 */
function recordOf({ type, entry, document, isUnpublished, written, ...event }: NewEvent): NewRecord {
  const [stored, deleted] = [limited(entry), limited(document)];
  const isCompared = event.action === 'update' && written !== undefined;
  return {
    ...event,
    ...(isCompared && { written }),
    ...(stored !== undefined && { entry: stored }),
    ...(deleted !== undefined && { document: deleted }),
    ...(isUnpublished === true && { isUnpublished }),
    uid: type.uid,
    at: new Date(),
  };
}

/** An entry that is too large is omitted, so no filter matches it. */
const sizedBefore = (before: Document | undefined): Pick<StoredEvent, 'before'> =>
  before === undefined || BSON.calculateObjectSize(before) > MAX_ENTRY ? {} : { before };

const limited = (entry: string | undefined): string | undefined =>
  entry === undefined || Buffer.byteLength(entry) > MAX_ENTRY ? undefined : entry;
