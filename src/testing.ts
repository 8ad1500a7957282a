import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createService, type Service } from './app/app.js';
import { type Config, isMonitored } from './config/config.js';
import { loadConfig } from './config/load-config.js';
import type { Environment } from './config/parse-variables.js';
import { parsePlugins, type PluginsFile } from './config/plugins/parse-plugins.js';
import { databaseOfUri } from './config/values.js';
import { listen } from './server/http-server.js';
import type { Database } from './mongo/connection/database.js';
import { openDatabase } from './mongo/connection/open-database.js';
import { startMemoryServer } from './mongo/connection/memory-server.js';
import type { Extension } from './plugins/contract/extension.js';
import { hashKey } from './plugins/api-tokens/definition.js';

export interface TestServiceOptions {
  /**
   * A folder of content types to test alone. By default the project in the folder that the test runs in is tested as
   * `start` finds it: with its content types, `access.json` and plugins file, but without `.env` and its code.
   */
  readonly contentTypes?: string;
  /**
   * A MongoDB to use instead of a new in-memory one. If the URI names a database, that is used, and kept; otherwise one
   * with a name of its own is made there.
   */
  readonly mongodbUri?: string;
  /** Further settings, as environment variables. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Changes settings that no variable has, e.g. limits that are too large for a test. */
  readonly configure?: (config: Config) => Config;
  /**
   * Settings of plugins, each instead of the plugin's own in the plugins file. Log-ins are limited only if they say so.
   * E.g. `{ i18n: { config: { locales: ['en', 'fr'] } } }`.
   */
  readonly plugins?: PluginsFile;
  /** The owner's own code to test; default: none. */
  readonly extension?: Extension;
}

/** A service on an in-memory MongoDB, listening on a free port. */
export interface TestService extends Service {
  /** Where it listens, e.g. `http://127.0.0.1:40123`. */
  readonly url: string;
  /** An API token with all rights: send it as `Authorization: Bearer …`. Invalid if `api-tokens` is disabled. */
  readonly token: string;
  /** Its database, to look at what is stored. */
  readonly database: Database;
  /** Its data folder, which is removed with it. */
  readonly dataFolder: string;
}

let databases = 0;

/** The least that bcrypt allows: tests log in often. */
const PASSWORD_ROUNDS = 4;

/** Milliseconds that a request of a test may wait or read: a slow machine is no reason to refuse it. */
const PATIENCE_MS = 60_000;

/** The limits of a service whose responses do not depend on the speed of the machine. */
const withPatience = (limits: Config['limits'], { QUERY_TIMEOUT }: Environment = {}): Config['limits'] => ({
  ...limits,
  lockWait: PATIENCE_MS,
  queueTimeoutMs: PATIENCE_MS,
  queryTime: QUERY_TIMEOUT === undefined ? PATIENCE_MS : limits.queryTime,
  // Slower reads may have no cache tags.
  quickRead: Number.POSITIVE_INFINITY,
});

/** Unless the project says so, log-ins are not limited. */
function withoutLimits(plugins: Config['plugins']): Config['plugins'] {
  const { config, ...users } = plugins['users-permissions'] ?? { enabled: true, config: {} };
  return { ...plugins, 'users-permissions': { ...users, config: { rateLimit: false, ...config } } };
}

/**
 * Starts a service with the owner's content types on an in-memory MongoDB. Each has a database of its own, so tests
 * do not see each other's data. Nothing is left behind after `close`, except a database that the URI names.
 */
export async function createTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const undo: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    return { ...(await startTestService(options, undo)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts it, and notes for each thing it leaves behind how to remove it, the last to be removed first. */
async function startTestService(
  options: TestServiceOptions,
  undo: (() => Promise<unknown>)[],
): Promise<Omit<TestService, 'close'>> {
  const dataFolder = await mkdtemp(path.join(os.tmpdir(), 'content-service-test-'));
  undo.push(() => rm(dataFolder, { recursive: true, force: true }));
  const memory = options.mongodbUri === undefined ? await startMemoryServer() : undefined;
  undo.push(async () => memory?.stop());
  const named = databaseOfUri(options.mongodbUri ?? '');
  databases += 1;
  const loaded = await loadConfig(
    {
      NODE_ENV: 'test',
      MONGODB_URI: options.mongodbUri ?? memory?.uri,
      DATABASE_NAME: named ?? `test_${process.pid}_${databases}`,
      DATA_FOLDER: dataFolder,
      // Tests may change entries in the database itself.
      RESPONSE_CACHE: '0',
      CONTENT_TYPES: options.contentTypes && path.resolve(options.contentTypes),
      ...options.environment,
    },
    options.contentTypes === undefined && options.environment?.['CONTENT_TYPES'] === undefined
      ? process.cwd()
      : dataFolder,
  );
  const plugins = { ...withoutLimits(loaded.plugins), ...parsePlugins(options.plugins ?? {}, 'plugins') };
  const { configure = (config: Config) => config } = options;
  const limits = withPatience(loaded.limits, options.environment);
  const config = configure({ ...loaded, limits, plugins, passwordRounds: PASSWORD_ROUNDS });
  const database = await openDatabase({ ...config.database, monitored: isMonitored(config) }, silent);
  let closable: { close(): Promise<void> } = database;
  undo.push(() => closable.close());
  if (named === undefined) undo.push(() => database.db.dropDatabase());
  const service = await createService(config, Promise.resolve(database), silent, {
    extension: options.extension ?? {},
  });
  closable = service;
  const server = await listen(service, { ...config.server, ...config.http, host: '127.0.0.1', port: 0 });
  undo.push(() => server.close({ gracePeriod: 0 }));
  const token = randomUUID();
  const accessKey = hashKey(token, config.secrets.apiTokenSalt);
  if (service.registry.contentTypes.has('admin::api-token')) {
    // Several services may share a database, in which the names of tokens are unique.
    await service.entries.create('admin::api-token', { name: `test ${randomUUID()}`, type: 'full-access', accessKey });
  }
  return { ...service, token, database, dataFolder, url: server.url };
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
