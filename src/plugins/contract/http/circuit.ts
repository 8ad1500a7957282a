import type { Outcome } from './send.js';

/** Whether the receiver accepted a request. */
export const isSuccess = ({ status = 0 }: Pick<Outcome, 'status'>): boolean => status >= 200 && status < 300;

/** A receiver that fails again and again: nothing is sent until the time is over, then one delivery. */
export interface Circuit {
  readonly failures: number;
  readonly openUntil: number;
}

export const closedCircuit: Circuit = { failures: 0, openUntil: 0 };

const FAILURES = 5;
const MAX_OPEN_MS = 60_000;

/** @param now in milliseconds */
export function afterOutcome({ failures }: Circuit, isAccepted: boolean, now: number): Circuit {
  if (isAccepted) return closedCircuit;
  const more = failures + 1;
  const open = more < FAILURES ? 0 : Math.min(1000 * 2 ** Math.min(more - FAILURES, 10), MAX_OPEN_MS);
  return { failures: more, openUntil: now + open };
}

/** The maximum number of concurrent deliveries. */
export const allowed = ({ failures, openUntil }: Circuit, now: number, concurrency: number): number =>
  failures < FAILURES ? concurrency : now < openUntil ? 0 : 1;
