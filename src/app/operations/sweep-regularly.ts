import type { Logger } from '../../errors/logger.js';
import { repeat } from '../../mongo/coordination/repeat.js';
import type { Store } from '../../mongo/store.js';

/** Milliseconds between two searches for unfinished writes of crashed processes. */
const SWEEP = 30_000;

/** Regularly completes writes of crashed processes and deletes expired records. Returns a function that stops it. */
export function sweepRegularly(
  { store, rateLimits }: { store: Pick<Store, 'sweep'>; rateLimits: { sweep(): Promise<void> } },
  log: Pick<Logger, 'error'>,
): () => void {
  const sweep = async (): Promise<void> => void (await Promise.all([store.sweep(), rateLimits.sweep()]));
  const end = repeat(SWEEP, sweep, (error) =>
    log.error({ err: error }, 'Regular maintenance failed; it runs again at the next interval'),
  );
  return () => void end();
}
