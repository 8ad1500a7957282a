import type { Registry } from '../../content-types/model/types.js';
import type { Logger } from '../../errors/logger.js';
import type { Store } from '../../mongo/store.js';

/** Milliseconds between two searches for unfinished writes of crashed processes. */
const SWEEP = 30_000;

/** Regularly completes writes of crashed processes and deletes expired records. Returns a function that stops it. */
export function sweepRegularly(
  {
    store,
    registry,
    rateLimits,
  }: { store: Pick<Store, 'sweep'>; registry: Registry; rateLimits: { sweep(): Promise<void> } },
  log: Pick<Logger, 'error'>,
): () => void {
  let sweeping = false;
  const sweep = async (): Promise<void> => {
    // A sweep that takes longer than the interval does not overlap with the next.
    if (sweeping) return;
    sweeping = true;
    try {
      await Promise.all([store.sweep(registry), rateLimits.sweep()]);
    } catch (error) {
      log.error({ err: error }, 'Regular maintenance failed; it runs again at the next interval');
    } finally {
      sweeping = false;
    }
  };
  const timer = setInterval(() => void sweep(), SWEEP).unref();
  return () => clearInterval(timer);
}
