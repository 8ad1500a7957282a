import type { Registry } from '../../content-types/model/types.js';
import type { ErrorLog } from '../../errors/error-log.js';
import type { Store } from '../../mongo/store.js';

/** Milliseconds between two looks for writes that a process which died has begun. */
const SWEEP = 30_000;

/** Regularly finishes what other processes left and deletes old records. Returns a function that stops this. */
export function sweepRegularly(
  {
    store,
    registry,
    rateLimits,
  }: { store: Pick<Store, 'sweep'>; registry: Registry; rateLimits: { sweep(): Promise<void> } },
  log: ErrorLog,
): () => void {
  let sweeping = false;
  const sweep = async (): Promise<void> => {
    // What takes longer than the pause is not begun twice.
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
