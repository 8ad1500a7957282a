import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../errors/app-error.js';
import type { EventLog } from './event-log.js';
import type { LoggedEvent } from './logged-events.js';

/** Events that follow a position, and the position to go on from. */
export interface EventPage {
  /** Empty if there were no events before the timeout. */
  readonly events: readonly LoggedEvent[];
  readonly position: number;
}

export interface NextOptions {
  /** Milliseconds to wait for an event. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** The end of the event log, shared by all readers in this process. Without readers it reads nothing. */
export interface EventTail {
  /** The current last position. */
  end(): Promise<number>;
  /** @throws AppError gone for a position after which events were deleted, or that does not exist yet */
  check(position: number): Promise<void>;
  /** Registers a reader. */
  open(): TailReader;
}

export interface TailReader {
  /**
   * Waits for the next events after a position.
   * @throws AppError gone, unavailable
   */
  next(after: number, options: NextOptions): Promise<EventPage>;
  close(): void;
}

type TailedLog = Pick<EventLog, 'horizon' | 'read' | 'bounds'>;

/** Milliseconds between two reads of the log while there are readers. */
const INTERVAL_MS = 200;
/** The size of a page, and the number of events in memory for readers that are not far behind. */
const [BATCH, KEPT] = [50, 500];

export function openEventTail(log: TailedLog, interval: number = INTERVAL_MS): EventTail {
  /** All events between two positions, up to the end of the log. */
  let recent: { readonly after: number; readonly upTo: number; readonly events: readonly LoggedEvent[] } | undefined;
  const readers = new Set<TailReader>();
  const waiting = new Set<() => void>();
  let following: Promise<void> | undefined;

  /** Reads new events; returns true if there may be more. */
  const look = async (): Promise<boolean> => {
    const horizon = await log.horizon();
    const { upTo, after, events } = recent ?? { upTo: horizon, after: horizon, events: [] };
    const added = horizon <= upTo ? [] : await log.read(upTo, horizon, KEPT);
    const isFull = added.length === KEPT;
    const all = [...events, ...added];
    recent = {
      after: all.at(-KEPT - 1)?.position ?? after,
      upTo: isFull ? (added.at(-1)?.position ?? upTo) : Math.max(horizon, upTo),
      events: all.slice(-KEPT),
    };
    if (added.length > 0) for (const wake of waiting) wake();
    return isFull;
  };
  const follow = async (): Promise<void> => {
    while (readers.size > 0) {
      // While the database is unavailable, readers wait.
      const isMore = await look().catch(() => false);
      if (!isMore && readers.size > 0) await wait(interval, undefined, { ref: false });
    }
    recent = undefined;
    following = undefined;
  };
  const newEvents = ({ timeout, signal }: NextOptions): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        waiting.delete(end);
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, timeout).unref();
      signal.addEventListener('abort', end);
      waiting.add(end);
    });
  const readOlder = async (after: number, upTo: number): Promise<EventPage> => {
    const events = await log.read(after, upTo, BATCH);
    // Checked after the read, so that a concurrent deletion is noticed.
    if ((await log.bounds()).pruned > after) throw new AppError('gone');
    return pageOf(events, upTo);
  };
  const readAfter = async (after: number, upTo: number): Promise<EventPage> => {
    if (upTo <= after) return { events: [], position: after };
    if (recent === undefined || after < recent.after || recent.upTo < upTo) return readOlder(after, upTo);
    return pageOf(recent.events.filter(({ position }) => position > after).slice(0, BATCH), recent.upTo);
  };

  return {
    end: () => log.horizon(),
    check: async (position) => {
      const { pruned, last } = await log.bounds();
      if (position > last || position < pruned) throw new AppError('gone');
    },
    open: () => {
      let isNew = true;
      const reader: TailReader = {
        next: async (after, { timeout, signal }) => {
          const until = performance.now() + timeout;
          // A new reader needs the current end of the log; for others the result of the last read is sufficient.
          const upTo = isNew || recent === undefined ? await log.horizon() : recent.upTo;
          isNew = false;
          let page = await readAfter(after, upTo);
          while (page.events.length === 0 && !signal.aborted && performance.now() < until) {
            const isBehind = recent !== undefined && recent.upTo > page.position;
            if (!isBehind) await newEvents({ timeout: until - performance.now(), signal });
            page = await readAfter(page.position, recent?.upTo ?? page.position);
          }
          return page;
        },
        close: () => readers.delete(reader),
      };
      readers.add(reader);
      following ??= follow();
      return reader;
    },
  };
}

const pageOf = (events: readonly LoggedEvent[], upTo: number): EventPage => ({
  events,
  position: events.length < BATCH ? upTo : (events.at(-1)?.position ?? upTo),
});
