import type { Registry } from '../content-types/types.js';
import type { ErrorLog } from '../errors/error-log.js';
import type { RateLimits } from '../mongo/rate-limits.js';
import type { Store } from '../mongo/store.js';

/** Milliseconds between two looks for writes that a process which died has begun. */
const SWEEP = 30_000;

/** Finishes what other processes left and forgets old records, again and again. Gives how to end that. */
export function sweepRegularly(
  {
    store,
    registry,
    rateLimits,
  }: { store: Store; registry: Registry; rateLimits: RateLimits & { sweep(): Promise<void> } },
  log: ErrorLog,
): () => void {
  const timer = setInterval(() => {
    Promise.all([store.sweep(registry), rateLimits.sweep()]).catch((error: unknown) =>
      log.error({ err: error }, 'A sweep failed; the next one goes on'),
    );
  }, SWEEP).unref();
  return () => clearInterval(timer);
}
