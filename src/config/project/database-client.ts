import { isRecord } from '../record.js';
import type { Environment } from '../parse-variables.js';
import { readSettings } from '../plugins/load-plugins.js';
import type { Values } from '../variables.js';
import { settingFiles } from './locate-setting.js';

/** The databases of Strapi v4 by the names of their clients. */
const databases: ReadonlyMap<unknown, NonNullable<Values['STRAPI_DATABASE']>> = new Map([
  ['sqlite', 'sqlite'],
  ['better-sqlite3', 'sqlite'],
  ['postgres', 'postgres'],
  ['mysql', 'mysql'],
  ['mysql2', 'mysql'],
] as const);

/**
 * The database that `config/database` of a Strapi v4 project names, or that of the environment; undefined if none does, or if it cannot be
 * loaded: it needs variables that are not set here, and a start reports that.
 */
export async function readDatabaseClient(
  folder: string,
  environment: string,
  variables: Environment,
): Promise<Values['STRAPI_DATABASE']> {
  for (const file of settingFiles(folder, environment, 'config/database')) {
    const content = await readSettings(file, folder, variables).catch(() => undefined);
    const { connection } = isRecord(content) ? content : {};
    const database = isRecord(connection) ? databases.get(connection['client']) : undefined;
    if (database !== undefined) return database;
  }
  return undefined;
}
