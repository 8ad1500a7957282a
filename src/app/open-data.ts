import type { Config } from '../config/config.js';
import type { Registry } from '../content-types/model/types.js';
import type { ErrorLog } from '../errors/error-log.js';
import type { Database, Log } from '../mongo/connection/database.js';
import { openStore, type Store } from '../mongo/store.js';
import { prepareData } from './prepare-data.js';

/** The entries of the content types, ready to be served. */
export interface OpenData {
  readonly store: Store;
  /** How often the database refused to finish an interrupted write since the start. */
  readonly refusedIntents: () => number;
}

/**
 * Opens what is stored: its indexes are there, and what a crash interrupted is finished. What the database refuses to finish
 * is logged.
 */
export async function openData(
  { rest, limits, environment }: Config,
  database: Database,
  registry: Registry,
  log: Log & ErrorLog,
): Promise<OpenData> {
  let refused = 0;
  const store = openStore(database.db, {
    timeout: limits.queryTime,
    reads: database.reads,
    owned: database.owned,
    answerLimit: limits.response,
    answers: rest.responseCache,
    metered: environment === 'development',
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
