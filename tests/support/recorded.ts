import type { Executed } from '../../src/mongo/coordination/idempotency-keys.js';

/** An entry as the response to a request with an `Idempotency-Key`. */
export function recorded(entry: unknown): Executed {
  const body = JSON.stringify(entry);
  return { body, shortened: body };
}
