import type { Registry } from '../content-types/model/types.js';
import type { Log } from '../mongo/connection/database.js';
import type { Store } from '../mongo/store.js';

/** Milliseconds between two log lines that say why the service is not ready yet. */
const RETRY_INTERVAL_MS = 5000;

/** Prepares the stored data for the content types; logs what takes long, and what the data does not allow. */
export async function prepareData(
  { prepare }: Pick<Store, 'prepare'>,
  registry: Registry,
  log: Log,
  pause = RETRY_INTERVAL_MS,
): Promise<void> {
  const start = performance.now();
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - start) / 1000);
    log.info(`The database makes indexes for the content types, ${seconds} s so far`);
  }, pause);
  try {
    for (const index of await prepare(registry)) {
      log.error(`Going on without an index that the stored data does not allow, ${index}`);
    }
  } finally {
    clearInterval(timer);
  }
}
