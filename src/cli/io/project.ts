import type { Config } from '../../config/config.js';
import { readConfig } from '../../config/load-config.js';
import { misspeltFiles } from '../../config/misspelt-files.js';
import { misspeltVariables } from '../../config/misspelt-variables.js';
import type { Registry } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import { StartError } from '../../errors/start-error.js';
import { loadWithPlugins, originsOf, type PluginOrigin } from '../../app/load-registry.js';
import { checkPlugins } from '../../app/check-plugins.js';
import type { Violation } from '../../mongo/maintenance/check/violation.js';
import { openActivities } from '../../mongo/activities.js';
import { hearOfActivities, receiptsFor } from '../../app/tell-of-writes.js';
import type { ReceiptOptions } from '../../mongo/write/receipts.js';
import type { Door, NewActivity } from '../../query/receipt.js';
import type { Database } from '../../mongo/connection/database.js';
import { openDatabase } from '../../mongo/connection/open-database.js';
import { claimDataFormat } from '../../mongo/maintenance/data-format.js';
import { translateError } from '../../mongo/errors.js';
import { commandLog } from './command-log.js';

/** The project in this folder, as commands need it that start no service. */
export interface Project {
  readonly config: Config;
  readonly registry: Registry;
  readonly plugins: readonly PluginOrigin[];
  /** What plugins find wrong with what they have stored. */
  readonly check: (database: Database) => AsyncIterable<Violation>;
  /** What plugins hear of the writes of a command. */
  readonly receiptsOf: (door: Door) => ReceiptOptions | undefined;
  /** Stores what a command does besides writes, where a plugin hears of that. */
  readonly recordIn: (database: Database, door: Door, activity: NewActivity) => Promise<void>;
}

/** @throws StartError when its settings or definitions are broken */
export async function loadProject(): Promise<Project> {
  const config = await readConfig();
  const { registry, plugins } = await loadWithPlugins(config);
  const check = (database: Database): AsyncIterable<Violation> => checkPlugins(plugins, database, registry);
  const receiptsOf = (door: Door): ReceiptOptions | undefined => receiptsFor(plugins, config.secrets, door);
  const recordIn: Project['recordIn'] = async ({ db }, door, activity) => {
    if (!hearOfActivities(plugins)) return;
    await openActivities(db, { asking: () => ({ by: { kind: 'system' }, origin: { door } }) }).record(activity);
  };
  return { config, registry, plugins: originsOf(plugins, config), receiptsOf, recordIn, check };
}

/**
 * Does work on the project's database, which is closed again. @throws StartError when it cannot be used
 * @param beside also while a service runs on the data folder
 */
export async function withDatabase<T>(
  { database: settings, variables, folders }: Config,
  work: (database: Database) => Promise<T>,
  beside = false,
): Promise<T> {
  // It may be another database than the one that is meant.
  for (const line of [...misspeltVariables(variables), ...misspeltFiles(folders)]) log.warn(line);
  const database = await openDatabase({ ...settings, beside }, log);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/**
 * Does work on the project's stored data, in the format of this version.
 * @throws StartError as `withDatabase`, and if the format is newer
 */
export const withData = <T>(config: Config, work: (database: Database) => Promise<T>, beside = false): Promise<T> =>
  withDatabase(
    config,
    async (database) => {
      await claimDataFormat(database.db);
      return work(database);
    },
    beside,
  );

/** The message of an error, with the stack of unexpected ones. */
export function describeFailure(error: unknown): unknown {
  const translated = translateError(error);
  return translated instanceof StartError || translated instanceof AppError ? translated.message : translated;
}

/** For commands: only what is wrong. */
export const log = commandLog({ warn: console.error });
