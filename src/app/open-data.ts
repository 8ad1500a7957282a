import type { Config } from '../config/config.js';
import type { Registry } from '../content-types/model/types.js';
import type { ErrorLog } from '../errors/error-log.js';
import { StartError } from '../errors/start-error.js';
import type { Database, Log } from '../mongo/connection/database.js';
import { readsPrimary } from '../mongo/connection/reads-primary.js';
import type { QueryCosts } from '../mongo/observe/query-cost.js';
import { openStore, type Store } from '../mongo/store.js';
import { prepareData } from './prepare-data.js';

/** The entries of the content types, ready to be served. */
export interface OpenData {
  readonly store: Store;
  /** How often the database refused to finish an interrupted write since the start. */
  readonly refusedIntents: () => number;
}

/**
 * Opens the store, makes its indexes and finishes interrupted writes. What the database refuses to finish is logged.
 * @param costs measures what each request costs; undefined: nobody reads it
 * @throws StartError
 */
export async function openData(
  { rest, limits }: Config,
  database: Database,
  registry: Registry,
  log: Log & ErrorLog,
  costs: QueryCosts | undefined,
): Promise<OpenData> {
  if (rest.responseCache !== undefined && !readsPrimary(database.reads)) {
    // A new version could be read before old entries.
    throw new StartError('RESPONSE_CACHE needs reads from the primary: take readPreference out of MONGODB_URI');
  }
  let refused = 0;
  const store = openStore(database.db, {
    timeout: limits.queryTime,
    reads: database.reads,
    exclusive: database.exclusive,
    responseLimit: limits.response,
    costs,
    reportRefused: ({ id, tries, error }) => {
      refused += 1;
      log.error(
        { err: error, intent: id, tries },
        'The database refuses to finish an interrupted write; it is tried again later, and check-data names it',
      );
    },
  });
  await prepareData(store, registry, log);
  return { store, refusedIntents: () => refused };
}
