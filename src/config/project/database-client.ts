import fs from 'node:fs';
import { suggestion } from '../../errors/nearest-name.js';
import { StartError } from '../../errors/start-error.js';
import { createEnv } from './env.js';
import { isRecord, type Data } from '../record.js';
import type { Environment } from '../parse-variables.js';
import { readSettings, type Env } from '../plugins/load-plugins.js';
import type { Values } from '../variables.js';
import { provideBesideStrapi } from './beside-strapi.js';
import { formatPlace, locateSetting, settingFiles } from './locate-setting.js';
import { currentVariable } from './variables.js';
import { withinFolder } from './within-folder.js';
import { withoutComments } from './without-comments.js';

type Database = NonNullable<Values['STRAPI_DATABASE']>;

/** The databases of Strapi v4 by the names of their clients. */
const databases: ReadonlyMap<string, Database> = new Map([
  ['sqlite', 'sqlite'],
  ['better-sqlite3', 'sqlite'],
  ['sqlite-legacy', 'sqlite'],
  ['postgres', 'postgres'],
  ['mysql', 'mysql'],
  ['mysql2', 'mysql'],
] as const);

/** The database that a project names. */
export interface NamedDatabase {
  readonly database: Database;
  /**
   * The variable that would name it; without a value, the project's default is only a guess: Strapi may have had one.
   */
  readonly unsetVariable: string | undefined;
}

/**
 * The database that `config/database` of a project names, or that of the environment; undefined if none does, or if it
 * cannot be loaded: it needs variables that are not set here, and a start reports that.
 * @param folders the Strapi v4 project that the content types come from, and the own one
 * @throws StartError if it names no database, or one that Strapi v4 does not know: values would have the rules of
 * another one
 */
export async function readDatabaseClient(
  folders: readonly string[],
  environment: string,
  variables: Environment,
): Promise<NamedDatabase | undefined> {
  const files = folders.flatMap((folder) =>
    settingFiles(folder, environment, 'config/database').map((file) => ({ file, folder })),
  );
  let isLacking = files.length > 0;
  for (const { file, folder } of files) {
    const connection = await readConnection(file, folder, variables);
    isLacking &&= connection !== undefined && !Object.hasOwn(connection, 'client');
    const client = connection?.['client'];
    if (client === undefined || client === null || client === '') continue;
    const database = databases.get(String(client));
    if (database === undefined) {
      const place = formatPlace(locateSetting([folder], environment, { file: 'config/database', keys }));
      const known = suggestion(String(client), databases.keys());
      throw new StartError(
        `${place}: ${keys.join('.')} is "${String(client)}", which is no database of Strapi v4${known}`,
      );
    }
    const marked = await readConnection(file, folder, variables, markDefaults(createEnv(variables)));
    const [, called] = /^default of (\w+)$/.exec(String(marked?.['client'])) ?? [];
    return { database, unsetVariable: called ?? unsetMember(file, variables) };
  }
  if (isLacking) {
    const place = formatPlace(locateSetting(folders, environment, { file: 'config/database', keys }));
    throw new StartError(`${place}: ${keys.join('.')} is missing; allowed: ${[...databases.keys()].join(', ')}`);
  }
  return undefined;
}

const keys = ['connection', 'client'];

/** What a file says of the connection; undefined if the file cannot be loaded. */
async function readConnection(
  file: string,
  folder: string,
  variables: Environment,
  env?: Env,
): Promise<Data | undefined> {
  const release = provideBesideStrapi();
  const content = await withinFolder(folder, () => readSettings(file, folder, variables, env))
    .catch(() => undefined)
    .finally(release);
  if (content === undefined) return undefined;
  const { connection } = isRecord(content) ? content : {};
  return isRecord(connection) ? connection : {};
}

/** Texts that are defaults become the name of the variable that has no value. */
function markDefaults(env: Env): Env {
  const mark = (name: string, fallback: unknown): unknown =>
    typeof fallback === 'string' ? `default of ${name}` : fallback;
  const { int, float, bool, json, array, date } = env;
  return Object.assign((name: string, fallback?: unknown) => env(name, mark(name, fallback)), {
    int,
    float,
    bool,
    json,
    array,
    date,
    oneOf: (name: string, allowed: readonly unknown[] | undefined, fallback?: unknown) =>
      env(name) === undefined ? mark(name, fallback) : env.oneOf(name, allowed, fallback),
  });
}

/** `client: process.env.DATABASE_CLIENT || 'sqlite'`, if it has no value. */
function unsetMember(file: string, variables: Environment): string | undefined {
  const source = withoutComments(fs.readFileSync(file, 'utf8'));
  const [, member, key] =
    /\bclient\b['"]?\s*[:=][^,;\n]*?\bprocess\.env(?:\.(\w+)|\[\s*['"`](\w+)['"`]\s*\])/.exec(source) ?? [];
  const name = member ?? key;
  return name !== undefined && !(currentVariable(name) ?? variables[name]) ? name : undefined;
}
