import type { Delivery } from '../../mongo/events/webhook-records.js';
import { isSuccess } from '../contract/http/circuit.js';
import type { Outcome } from '../contract/http/send.js';

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
