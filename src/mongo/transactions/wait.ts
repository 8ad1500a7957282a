import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../errors/app-error.js';

/** Other requests change an entry at the same time: the client may repeat its request soon. */
export class Locked extends AppError<'conflict'> {
  override readonly retryAfter = 1;
  /** Whether the write has waited long enough; otherwise it can be repeated at once. */
  readonly isLate: boolean;

  constructor(isLate = false) {
    super('conflict', 'Other requests change the entry at the same time');
    this.isLate = isLate;
  }
}

/** How many times its time for one transaction a write waits at most, for transactions that follow each other. */
export const LONGEST_WAIT = 5;

/**
 * The milliseconds that are left to wait for one transaction. If a write waits for another one than before, the time
 * begins again.
 */
export type TimeLeft = (transactionId?: string) => number;

export function timeLeftOf(milliseconds: number): TimeLeft {
  const begin = performance.now();
  let [end, last] = [begin + milliseconds, ''];
  return (transactionId = last) => {
    if (last !== '' && transactionId !== last)
      end = Math.min(performance.now() + milliseconds, begin + LONGEST_WAIT * milliseconds);
    last = transactionId;
    return Math.max(0, end - performance.now());
  };
}

/** The shortest and the longest pause between two looks at a lock. */
const [FIRST_MS, SLOWEST_MS] = [5, 100];

/** Pauses that grow, with jitter, so that those who wait for one entry do not all come back at once. */
export function growingPauses(pause: (milliseconds: number) => Promise<unknown> = sleep): () => Promise<void> {
  let next = FIRST_MS;
  return async () => {
    await pause(next * (0.5 + Math.random()));
    next = Math.min(next * 2, SLOWEST_MS);
  };
}
