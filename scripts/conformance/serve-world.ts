import path from 'node:path';
import { createService } from '../../src/app/app.js';
import type { Config } from '../../src/config/config.js';
import { loadConfig } from '../../src/config/load-config.js';
import type { Environment } from '../../src/config/parse-variables.js';
import type { PluginSettings } from '../../src/config/plugins/parse-plugins.js';
import { listen } from '../../src/server/http-server.js';
import type { Database } from '../../src/mongo/connection/database.js';
import { openDatabase } from '../../src/mongo/connection/open-database.js';
import { applyWorld } from './apply-world.js';
import type { World } from './world.js';

export interface WorldServerOptions {
  readonly world: World;
  /** The folder of the content types. */
  readonly contentTypes: string;
  /** Where the service keeps its files. */
  readonly dataFolder: string;
  /** Which database to use, and whatever else the configuration reads. */
  readonly environment: Environment;
  /** 0: any free one. */
  readonly port: number;
  /** The settings of further plugins. */
  readonly plugins?: Readonly<Record<string, PluginSettings>> | undefined;
  /** Runs before the service looks at the database. */
  readonly prepare?: (database: Database, config: Config) => Promise<void>;
}

/** A service in the state of a world, listening. */
export interface WorldServer {
  readonly url: string;
  readonly dataFolder: string;
  readonly database: Database;
  close(): Promise<void>;
}

/** Milliseconds that requests have to finish. */
const GRACE = 2000;
/** It does not change between starts: the access keys in the database stay good. */
const TOKEN_SALT = 'conformance-api-token-salt';

/**
 * Starts the service as the README of the conformance corpus demands.
 * @throws StartError when definitions, database or port do not allow it
 */
export async function serveWorld(options: WorldServerOptions): Promise<WorldServer> {
  const { world, dataFolder, port, prepare } = options;
  const config = await worldConfig(options);
  const database = await openDatabase(config.database, log);
  try {
    await prepare?.(database, config);
    const service = await createService(config, Promise.resolve(database), log);
    await applyWorld(service, world);
    const server = await listen(service, { ...config.server, ...config.http, host: '127.0.0.1', port });
    const close = async (): Promise<void> => {
      await server.close({ gracePeriod: GRACE });
      await service.close();
    };
    return { url: server.url, dataFolder, database, close };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function worldConfig(options: WorldServerOptions): Promise<Config> {
  const { world, contentTypes, dataFolder, environment } = options;
  const { rest, usersPermissions } = world;
  const variables: Environment = {
    ...environment,
    ...world.env,
    NODE_ENV: world.nodeEnv ?? 'test',
    CONTENT_TYPES: path.resolve(contentTypes),
    DATA_FOLDER: dataFolder,
    JWT_SECRET: usersPermissions.jwtSecret,
    API_TOKEN_SALT: world.env?.['API_TOKEN_SALT'] ?? TOKEN_SALT,
    REST_DEFAULT_LIMIT: textOf(rest.defaultLimit),
    REST_MAX_LIMIT: textOf(rest.maxLimit),
    REST_WITH_COUNT: textOf(rest.withCount),
    REST_ENTRY_META: textOf(rest.entryMeta),
    UNKNOWN_AUTHORIZATION: 'ignore',
  };
  const config = await loadConfig(variables, dataFolder);
  const plugins = world.env === undefined ? pluginSettings(world) : projectPlugins(config.plugins);
  // No answer depends on the rounds, but with ten they take a third of the time.
  return { ...config, plugins: { ...plugins, ...options.plugins }, passwordRounds: 4 };
}

const textOf = (value: number | boolean | undefined): string | undefined =>
  value === undefined ? undefined : String(value);

/** The contents of the project's plugins file. */
function pluginSettings({ usersPermissions, graphql }: World): Readonly<Record<string, PluginSettings>> {
  const { rateLimit = false } = usersPermissions;
  const accounts = { openAccountMutations: true, ...(rateLimit === true ? {} : { rateLimit }) };
  const { introspection = true, ...options } = graphql;
  return {
    // As recorded: Strapi v4 asks for no right to log in over GraphQL, and to see what a component leads to.
    'users-permissions': { enabled: true, config: accounts },
    graphql: { enabled: true, config: { openComponentRelations: true, ...options, apolloServer: { introspection } } },
  };
}

/** The settings of a project for its plugins. */
function projectPlugins(plugins: Config['plugins']): Readonly<Record<string, PluginSettings>> {
  const { graphql, 'users-permissions': accounts = { enabled: true, config: {} } } = plugins;
  return {
    ...plugins,
    'users-permissions': { ...accounts, config: { openAccountMutations: true, ...accounts.config } },
    ...(graphql && { graphql: { ...graphql, config: { openComponentRelations: true, ...graphql.config } } }),
  };
}

/** Standard output is for the line that says it is ready. */
const log = {
  info: () => undefined,
  warn: (details: unknown, message?: string) => console.error(message ?? details),
  error: (details: unknown, message?: string) => console.error(message ?? '', details),
};
