import type { Intent } from './intents.js';

/** Milliseconds without renewal after which an intent is abandoned; longer than the time limit of its commands. */
const EXPIRY_MS = 60_000;
const MARGIN = 30_000;

/** Milliseconds without renewal after which the writes of a process are abandoned. */
export const abandonedAfter = (timeout: number): number => Math.max(EXPIRY_MS, timeout + MARGIN);

/** Intents of this process that an error interrupted: it completes them before its next write. */
export interface PendingIntents {
  add(intent: Intent): void;
  /** Adds an intent that was not started, but may have been recorded. */
  withdraw(id: string): void;
  /** Completes those that can be completed now. @throws AppError unavailable */
  settle(): Promise<void>;
}

/** Completes an intent; postponed where its primary write may still be in transit. */
export type Finish = (intent: Intent, last: boolean) => Promise<'finished' | 'postponed'>;

interface Waiting {
  readonly intent: Intent;
  /** When it was interrupted, and when it is tried next. */
  readonly since: number;
  readonly next: number;
}

const RETRY_INTERVAL_MS = 1000;

/** @param timeout milliseconds after which a command is no longer in transit */
export function createPendingIntents(finish: Finish, timeout: number): PendingIntents {
  const left = new Map<string, Waiting>();
  let settling: Promise<void> | undefined;
  const add = (intent: Intent): void => {
    const now = Date.now();
    left.set(intent.id, { intent, since: now, next: now });
  };
  const settleAll = async (): Promise<void> => {
    for (const { intent, since, next } of left.values()) {
      const now = Date.now();
      if (next > now) continue;
      const outcome = await finish(intent, now - since > timeout);
      if (outcome === 'postponed') left.set(intent.id, { intent, since, next: Date.now() + RETRY_INTERVAL_MS });
      else left.delete(intent.id);
    }
  };
  return {
    add,
    withdraw: (id) => add({ id, writes: [] }),
    settle: async () => {
      if (left.size === 0) return;
      settling ??= settleAll().finally(() => {
        settling = undefined;
      });
      await settling;
    },
  };
}
