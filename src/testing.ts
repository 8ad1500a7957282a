import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createService, type Service } from './app.js';
import { loadConfig } from './config/load-config.js';
import { parsePlugins, type PluginsFile } from './config/parse-plugins.js';
import type { Database } from './mongo/database.js';
import { openDatabase } from './mongo/open-database.js';
import { startMemoryServer } from './mongo/memory-server.js';
import type { Extension } from './plugins/extension.js';
import { hashKey } from './plugins/api-tokens/hash-key.js';

export interface TestServiceOptions {
  /** The folder of the content types to test; default `content-types` of the folder that the test runs in. */
  readonly contentTypes?: string;
  /** A MongoDB to use instead of a new in-memory one; a database with a name of its own is made there. */
  readonly mongodbUri?: string;
  /** Further settings, as environment variables. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What the plugins file says; attempts to log in are not limited if it says nothing. E.g. `{ i18n: { config: { locales: ['en', 'fr'] } } }`. */
  readonly plugins?: PluginsFile;
  /** The owner's own code to test; default: none. */
  readonly extension?: Extension;
}

/** A service on an in-memory MongoDB, listening on a free port. */
export interface TestService extends Service {
  /** Where it listens, e.g. `http://127.0.0.1:40123`. */
  readonly url: string;
  /** An API token with all rights: send it as `Authorization: Bearer …`. */
  readonly token: string;
  /** Its database, to look at what is stored. */
  readonly database: Database;
  /** Its data folder, which is removed with it. */
  readonly dataFolder: string;
}

let databases = 0;

const withoutLimits: PluginsFile = { 'users-permissions': { config: { rateLimit: false } } };

/**
 * Starts a service with the owner's content types on an in-memory MongoDB. Each has a database of its own, so tests
 * do not see each other's data. Nothing is left behind after `close`.
 */
export async function createTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const dataFolder = await mkdtemp(path.join(os.tmpdir(), 'content-service-test-'));
  const memory = options.mongodbUri === undefined ? await startMemoryServer() : undefined;
  databases += 1;
  const loaded = await loadConfig(
    {
      NODE_ENV: 'test',
      MONGODB_URI: options.mongodbUri ?? memory?.uri,
      DATABASE_NAME: `test_${process.pid}_${databases}`,
      DATA_FOLDER: dataFolder,
      CONTENT_TYPES: path.resolve(options.contentTypes ?? 'content-types'),
      ...options.environment,
    },
    dataFolder,
  );
  const plugins = parsePlugins({ ...withoutLimits, ...options.plugins }, 'plugins');
  const config = { ...loaded, plugins };
  const opening = openDatabase({ ...config.database, dataFolder }, silent);
  const service = await createService(config, opening, silent, { extension: options.extension ?? {} });
  const database = await opening;
  const server = createServer(service.handler);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const token = randomUUID();
  const accessKey = hashKey(token, config.secrets.apiTokenSalt);
  await service.entries.create('admin::api-token', { name: 'test', type: 'full-access', accessKey });
  return {
    ...service,
    token,
    database,
    dataFolder,
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      await database.db.dropDatabase();
      await service.close();
      await memory?.stop();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
