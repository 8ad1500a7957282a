import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../errors/app-error.js';
import type { EventLog } from './event-log.js';
import type { LoggedEvent } from './logged-events.js';

/** Events that follow a position, and the position to go on from. */
interface EventPage {
  /** Empty if there were no events before the timeout. */
  readonly events: readonly LoggedEvent[];
  readonly position: number;
}

interface TailReader {
  /**
   * Waits for the next events after a position.
   * @param timeout milliseconds to wait for an event
   * @throws AppError gone, unavailable
   */
  next(after: number, timeout: number, signal: AbortSignal): Promise<EventPage>;
  close(): void;
}

type TailedLog = Pick<EventLog, 'horizon' | 'read' | 'bounds'>;

/** Milliseconds between two reads of the log while there are readers. */
const INTERVAL_MS = 200;
/** The size of a page, and the number of events in memory for readers that are not far behind. */
const [BATCH, KEPT] = [50, 500];

/** The end of the event log, shared by all readers in this process. Without readers it reads nothing. */
export class EventTail {
  readonly #log: TailedLog;
  readonly #readers = new Set<TailReader>();
  readonly #waiting = new Set<() => void>();
  /** All events between two positions, up to the end of the log. */
  #recent: { readonly after: number; readonly upTo: number; readonly events: readonly LoggedEvent[] } | undefined;
  #isFollowing = false;

  constructor(log: TailedLog) {
    this.#log = log;
  }

  /** The current last position. */
  end(): Promise<number> {
    return this.#log.horizon();
  }

  /** @throws AppError gone for a position after which events were deleted, or that does not exist yet */
  async check(position: number): Promise<void> {
    const { pruned, last } = await this.#log.bounds();
    if (position > last || position < pruned) throw new AppError('gone');
  }

  /** Registers a reader. */
  open(): TailReader {
    let isNew = true;
    const reader: TailReader = {
      next: async (after, timeout, signal) => {
        const until = performance.now() + timeout;
        // A new reader needs the current end of the log; for others the result of the last read is sufficient.
        const upTo = isNew || this.#recent === undefined ? await this.#log.horizon() : this.#recent.upTo;
        isNew = false;
        let page = await this.#readAfter(after, upTo);
        while (page.events.length === 0 && !signal.aborted && performance.now() < until) {
          const isBehind = this.#recent !== undefined && this.#recent.upTo > page.position;
          if (!isBehind) await this.#newEvents(until - performance.now(), signal);
          page = await this.#readAfter(page.position, this.#recent?.upTo ?? page.position);
        }
        return page;
      },
      close: () => this.#readers.delete(reader),
    };
    this.#readers.add(reader);
    void this.#follow();
    return reader;
  }

  async #follow(): Promise<void> {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    while (this.#readers.size > 0) {
      // While the database is unavailable, readers wait.
      const isMore = await this.#look().catch(() => false);
      if (!isMore && this.#readers.size > 0) await wait(INTERVAL_MS, undefined, { ref: false });
    }
    this.#recent = undefined;
    this.#isFollowing = false;
  }

  /** Reads new events; returns true if there may be more. */
  async #look(): Promise<boolean> {
    const horizon = await this.#log.horizon();
    const { upTo, after, events } = this.#recent ?? { upTo: horizon, after: horizon, events: [] };
    const added = horizon <= upTo ? [] : await this.#log.read(upTo, horizon, KEPT);
    const isFull = added.length === KEPT;
    const all = [...events, ...added];
    this.#recent = {
      after: all.at(-KEPT - 1)?.position ?? after,
      upTo: isFull ? (added.at(-1)?.position ?? upTo) : Math.max(horizon, upTo),
      events: all.slice(-KEPT),
    };
    if (added.length > 0) for (const wake of this.#waiting) wake();
    return isFull;
  }

  #newEvents(timeout: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        this.#waiting.delete(end);
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, timeout).unref();
      signal.addEventListener('abort', end);
      this.#waiting.add(end);
    });
  }

  async #readAfter(after: number, upTo: number): Promise<EventPage> {
    if (upTo <= after) return { events: [], position: after };
    const recent = this.#recent;
    if (recent === undefined || after < recent.after || recent.upTo < upTo) return this.#readOlder(after, upTo);
    return pageOf(recent.events.filter(({ position }) => position > after).slice(0, BATCH), recent.upTo);
  }

  async #readOlder(after: number, upTo: number): Promise<EventPage> {
    const events = await this.#log.read(after, upTo, BATCH);
    // Checked after the read, so that a concurrent deletion is noticed.
    if ((await this.#log.bounds()).pruned > after) throw new AppError('gone');
    return pageOf(events, upTo);
  }
}

const pageOf = (events: readonly LoggedEvent[], upTo: number): EventPage => ({
  events,
  position: events.length < BATCH ? upTo : (events.at(-1)?.position ?? upTo),
});
