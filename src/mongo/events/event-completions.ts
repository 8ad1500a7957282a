import { ObjectId } from 'mongodb';
import { coalesce } from '../coordination/coalesce.js';
import type { Completion, StoredEvent, StoredEvents } from './stored-events.js';

/** Milliseconds for which completed creations are collected, and how many there may be. */
const [COLLECT_MS, MAX_COLLECTED] = [250, 1000];

export type NewRecord = Omit<StoredEvent, '_id' | 'floor'>;

interface CompletionsOptions {
  readonly stored: StoredEvents;
  /** A position below all that will be allocated. */
  readonly floor: () => number;
  /** Allocates a position. */
  readonly next: () => Promise<number>;
  /** Lets readers pass unused positions. */
  readonly release: () => Promise<void>;
}

/** Completes the events of acknowledged writes. */
export function createCompletions({ stored, floor, next, release }: CompletionsOptions) {
  let collected: Completion[] = [];
  let timer: NodeJS.Timeout | undefined;

  /** Stores a new event, without a position. */
  const record = async (event: NewRecord): Promise<StoredEvent> => {
    const recorded = { ...event, _id: new ObjectId(), floor: floor() };
    await stored.insert(recorded);
    return recorded;
  };
  const complete = async (completion: Completion): Promise<void> => {
    // Recovery has discarded the event if the write took very long.
    if (!(await stored.complete(completion))) await completeAgain(completion);
  };
  /** Completes an event whose position readers may have passed: it gets another one. */
  const completeAgain = async (completion: Completion): Promise<void> => {
    const { n: _passed, ...event } = completion.event;
    const again = await record(event);
    await complete({ ...completion, event: again, n: await next() });
  };
  const settle = coalesce(async (requests: readonly undefined[]) => {
    clearTimeout(timer);
    timer = undefined;
    const completions = collected;
    collected = [];
    try {
      await release();
      if (completions.length > 0) {
        const existed = await stored.completeAll(completions);
        await Promise.all(completions.filter((_, index) => existed[index] === false).map(completeAgain));
      }
    } catch (error) {
      collected.push(...completions);
      settleSoon();
      throw error;
    }
    return requests.map(() => undefined);
  });
  const settleSoon = (): void => {
    timer ??= setTimeout(() => void settle(undefined).catch(() => undefined), COLLECT_MS).unref();
  };
  return {
    record,
    complete,
    /** Completes the event of a creation soon, together with others: it needs nothing but the removal of its `floor`. */
    collect: (completion: Completion): void => {
      collected.push(completion);
      settleSoon();
    },
    /** Completes the collected events now, and lets readers pass unused positions. */
    settle: (): Promise<void> => settle(undefined),
    settleSoon,
    /** Settles if too many events are collected. */
    makeRoom: async (): Promise<void> => {
      if (collected.length >= MAX_COLLECTED) await settle(undefined);
    },
  };
}

export type Completions = ReturnType<typeof createCompletions>;
