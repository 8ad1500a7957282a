import type { Config } from '../config/config.js';
import type { Registry } from '../content-types/model/types.js';
import type { Logger } from '../errors/logger.js';
import type { Database } from '../mongo/connection/database.js';
import { countLostConnections } from '../mongo/connection/lost-connections.js';
import type { QueryCosts } from '../mongo/observe/query-cost.js';
import { adviseSlowReads } from '../mongo/observe/advise-slow-reads.js';
import { openStore, type Store } from '../mongo/store.js';

/** The entries of the content types, ready to be served. */
interface OpenData {
  readonly store: Store;
  /** The number of interrupted writes that the database has refused to complete since startup. */
  readonly refusedIntents: () => number;
}

/**
 * Opens the store, creates its indexes and completes interrupted writes. Logs writes that the database refuses to
 * complete, and slow lists that an index would serve.
 * @param costs measures the cost of each request; undefined: it is not measured
 */
export async function openData(
  config: Pick<Config, 'limits' | 'events' | 'log'>,
  database: Database,
  registry: Registry,
  log: Logger,
  costs: QueryCosts | undefined,
): Promise<OpenData> {
  const { limits, events } = config;
  let refused = 0;
  const opened = openStore(database.db, {
    timeout: limits.queryTime,
    reads: database.reads,
    exclusive: database.exclusive,
    responseLimit: limits.response,
    recordBefore: events.record,
    costs,
    lostConnections: countLostConnections(database.client),
    reportRefused: ({ id, tries, error }) => {
      refused += 1;
      log.error(
        { err: error, intent: id, tries },
        'The database refuses to complete an interrupted write; it is retried later, and check-data lists it',
      );
    },
  });
  const store = adviseSlowReads(opened, config.log.slowQuery, (message) => log.warn(message));
  await prepareData(store, registry, log);
  return { store, refusedIntents: () => refused };
}

/** Milliseconds between two log lines about a service that is not ready yet. */
const RETRY_INTERVAL_MS = 5000;

/** Prepares the stored data for the content types; logs slow index builds, and indexes that the data violates. */
export async function prepareData(
  { prepare }: Pick<Store, 'prepare'>,
  registry: Registry,
  log: Pick<Logger, 'info' | 'error'>,
  pause = RETRY_INTERVAL_MS,
): Promise<void> {
  const start = performance.now();
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - start) / 1000);
    log.info(`Building indexes for the content types, ${seconds} s so far`);
  }, pause);
  try {
    for (const index of await prepare(registry)) {
      log.error(`Continuing without an index that the stored data violates: ${index}`);
    }
  } finally {
    clearInterval(timer);
  }
}
