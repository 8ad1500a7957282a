import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openSource } from '../../src/cli/commands/import/import.js';
import type { Environment } from '../../src/config/parse-variables.js';
import { reasonOf } from '../../src/errors/reason-of.js';
import { StartError } from '../../src/errors/start-error.js';
import { importWorld } from './import-world.js';
import { serveWorld } from './serve-world.js';
import { readWorld } from './world.js';

const words = {
  world: { type: 'string' },
  'content-types': { type: 'string' },
  port: { type: 'string' },
  data: { type: 'string' },
  database: { type: 'string' },
  'strapi-database': { type: 'string' },
  import: { type: 'string' },
  key: { type: 'string' },
} as const;

const usage = `npm run conformance:serve -- --world <world.json> --content-types <folder> --port <number>
    [--data <folder>]      store the data in this folder; the next start uses it again
    [--database <name>]    use this database of MONGODB_URI; one whose name begins with "test_" is emptied first
    [--strapi-database <name>] with the rules of sqlite, postgres or mysql
    [--import <archive>]   first import an archive of strapi export
    [--key <password>]     of an encrypted archive`;

/** The only environment variable that counts names the database. All other settings come from the world. */
const kept = ['MONGODB_URI', 'DATABASE', 'MONGOMS_SYSTEM_BINARY', 'PATH', 'XDG_CACHE_HOME', 'WEBHOOK_PRIVATE_NETWORKS'];

/**
 * Serves a world until it is told to stop: `npm run conformance:serve`.
 * @returns the exit code: 0 when it was stopped, 2 when it could not start
 */
export async function conformanceServe(
  args: readonly string[],
  environment: Environment,
  stopped: Promise<unknown>,
): Promise<0 | 2> {
  const temporary = await mkdtemp(path.join(os.tmpdir(), 'conformance-'));
  try {
    const { world, contentTypes, port, data, database, strapiDatabase, archive, key } = readArguments(args);
    const source = archive === undefined ? undefined : await openSource(archive, { key });
    const place = choosePlace(data, database, environment);
    const server = await serveWorld({
      world: await readWorld(world),
      contentTypes,
      port,
      dataFolder: path.resolve(data ?? temporary),
      environment: {
        ...Object.fromEntries(kept.map((name) => [name, environment[name]])),
        ...place.variables,
        STRAPI_DATABASE: strapiDatabase,
      },
      prepare: async (opened, config) => {
        const { db, exclusive } = opened;
        if (!exclusive && db.databaseName.startsWith('test_')) await db.dropDatabase();
        if (source !== undefined) await importWorld(source, opened, config);
      },
    });
    console.log(`ready ${server.url}`);
    await stopped;
    if (place.temporary && !server.database.exclusive) await server.database.db.dropDatabase();
    await server.close();
    return 0;
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error);
    return 2;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** @throws StartError that says what is wrong, and the usage */
function readArguments(args: readonly string[]) {
  const values = parseWords(args);
  const { world, 'content-types': contentTypes, port = '', data, database, import: archive, key } = values;
  const strapiDatabase = values['strapi-database'];
  if (world === undefined || contentTypes === undefined || !/^\d{1,5}$/.test(port)) throw new StartError(usage);
  return { world, contentTypes, port: Number(port), data, database, strapiDatabase, archive, key };
}

function parseWords(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: words }).values;
  } catch (error) {
    throw new StartError(`${reasonOf(error)}\n${usage}`);
  }
}

interface Place {
  readonly variables: Environment;
  /** Nobody keeps the data. */
  readonly temporary: boolean;
}

/** @throws StartError for a database without a server that it is on */
function choosePlace(data: string | undefined, database: string | undefined, environment: Environment): Place {
  const uri = environment['MONGODB_URI'];
  if (database !== undefined) {
    if (!uri) throw new StartError(`--database needs MONGODB_URI: the server that the database is on\n${usage}`);
    return { variables: { DATABASE_NAME: database }, temporary: false };
  }
  if (data !== undefined) return { variables: { MONGODB_URI: undefined, DATABASE: 'embedded' }, temporary: false };
  return { variables: { DATABASE_NAME: `test_conformance_${process.pid}` }, temporary: true };
}
