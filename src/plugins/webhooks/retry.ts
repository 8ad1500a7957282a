import type { Delivery } from '../../mongo/events/webhook-records.js';
import type { Outcome } from './send.js';

/** Milliseconds: the first delay, the maximum delay, and the time after which a delivery fails permanently. */
export const retries = { first: 1000, max: 3_600_000, total: 86_400_000 } as const;

/** A delivery after an attempt. @param random 0 to 1: deliveries that failed together are retried at different times */
export function afterTry(
  delivery: Delivery,
  { status, error, milliseconds }: Outcome,
  now: Date,
  random: number,
): Delivery {
  const { status: _status, error: _error, ...rest } = delivery;
  const tries = delivery.tries + 1;
  const outcome = {
    ...rest,
    tries,
    milliseconds,
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
  };
  if (status !== undefined && isSuccess({ status })) return { ...outcome, state: 'delivered', next: now };
  const pause = Math.min(retries.first * 2 ** Math.min(tries - 1, 20), retries.max) * (0.5 + random);
  const next = new Date(now.getTime() + pause);
  const isOver = next.getTime() - delivery.at.getTime() > retries.total;
  return { ...outcome, state: isOver ? 'failed' : 'waiting', next };
}

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
export function afterOutcome({ failures }: Circuit, outcome: Outcome, now: number): Circuit {
  if (isSuccess(outcome)) return closedCircuit;
  const more = failures + 1;
  const open = more < FAILURES ? 0 : Math.min(1000 * 2 ** Math.min(more - FAILURES, 10), MAX_OPEN_MS);
  return { failures: more, openUntil: now + open };
}

/** The maximum number of concurrent deliveries. */
export const allowed = ({ failures, openUntil }: Circuit, now: number, concurrency: number): number =>
  failures < FAILURES ? concurrency : now < openUntil ? 0 : 1;
