import { availableParallelism } from 'node:os';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { StartError } from '../errors/start-error.js';
import type { Config } from './config.js';
import { loadPlugins } from './plugins/load-plugins.js';
import { readDatabaseClient } from './project/database-client.js';
import { databaseName, databaseOfUri } from './values.js';
import { complain, parseVariables, type Environment } from './parse-variables.js';
import { checkSecrets, loadSecrets } from './secrets.js';
import { describeSystem } from './system.js';
import { variables, type Values } from './variables.js';

/**
 * Loads the configuration from environment variables and the project's plugins file. Outside production it generates
 * missing secrets and stores them in the data folder.
 * @throws StartError with a line for each wrong variable, or for each mistake in the plugins file
 */
export async function loadConfig(environment: Environment, projectFolder: string): Promise<Config> {
  const { values, definedNames, complaints } = parseVariables(environment);
  const production = values.NODE_ENV === 'production';
  const project = path.resolve(projectFolder);
  const contentTypes = definedNames.has('CONTENT_TYPES')
    ? path.resolve(project, values.CONTENT_TYPES)
    : findContentTypes(project, values.CONTENT_TYPES);
  const folders = { project, data: path.resolve(project, values.DATA_FOLDER), contentTypes };
  const plugins = await loadPlugins(project, environment, { contentTypes, environment: values.NODE_ENV });
  const secrets = { ...values, JWT_SECRET: values.JWT_SECRET ?? jwtSecretOf(plugins) };
  const named = definedNames.has('DATABASE_NAME') ? undefined : databaseOfUri(values.MONGODB_URI ?? '');
  const problems = [
    ...complaints,
    ...(named === undefined || databaseName.parse(named) ? [] : [complain('DATABASE_NAME', named, ' of MONGODB_URI')]),
    ...(production ? [...checkDatabase(values, environment), ...checkSecrets(secrets)] : []),
  ];
  if (problems.length > 0) throw new StartError(problems.join('\n'));

  return freeze({
    environment: values.NODE_ENV,
    server: {
      host: production && !definedNames.has('HOST') ? '0.0.0.0' : values.HOST,
      port: values.PORT,
      publicUrl: values.PUBLIC_URL ?? (production ? undefined : `http://localhost:${values.PORT}`),
      workers: values.CLUSTER === 'auto' ? availableParallelism() : values.CLUSTER,
      gracePeriod: values.GRACE_PERIOD,
      drainDelay: values.DRAIN_DELAY,
      closeDelay: values.CLOSE_DELAY,
      headersTimeout: 10_000,
      requestTimeout: values.REQUEST_TIMEOUT,
      keepAliveTimeout: values.KEEP_ALIVE_TIMEOUT,
    },
    http: {
      origins: values.CORS_ORIGINS,
      compression: values.COMPRESSION,
      etag: values.ETAG,
      cacheControl: values.CACHE_CONTROL,
      cacheTags: values.CACHE_TAGS,
      urlLimit: 16_384,
      unknownAuthorization: values.UNKNOWN_AUTHORIZATION,
      trustedProxies: values.TRUSTED_PROXIES,
      rateLimit: values.RATE_LIMIT === 0 ? undefined : { max: values.RATE_LIMIT, within: 60 },
      metricsToken: values.METRICS_TOKEN,
    },
    database: {
      choice: values.DATABASE,
      uri: values.MONGODB_URI,
      name: named ?? values.DATABASE_NAME,
      systemBinary: values.MONGOMS_SYSTEM_BINARY && path.resolve(project, values.MONGOMS_SYSTEM_BINARY),
      searchPath: describeSystem(environment).searchPath,
    },
    dialect: await chooseDialect(values, folders.contentTypes, environment),
    folders,
    secrets: loadSecrets(secrets, folders.data),
    passwordRounds: 10,
    drafts: values.DRAFTS,
    rest: {
      prefix: '/api',
      // Setting only a lower maximum is enough.
      defaultLimit: Math.min(values.REST_DEFAULT_LIMIT, values.REST_MAX_LIMIT),
      maxLimit: values.REST_MAX_LIMIT,
      withCount: values.REST_WITH_COUNT,
      entryMeta: values.REST_ENTRY_META,
      responseCache: values.RESPONSE_CACHE,
    },
    limits: {
      body: values.BODY_LIMIT,
      response: values.RESPONSE_LIMIT,
      populate: 500,
      deepLevels: values.DEEP_POPULATE,
      batch: 100,
      relations: 1000,
      queryTime: values.QUERY_TIMEOUT,
      lockWait: 3000,
      concurrency: values.CONCURRENCY,
      queueLimit: 1000,
      queueTimeoutMs: 3000,
    },
    events: {
      record: values.EVENTS,
      retention: { number: 100_000, milliseconds: 7 * 24 * 3_600_000 },
      feeds: { all: 1000, perCaller: 100 },
      publication: values.EVENTS_PUBLICATION,
      allowPrivate: values.WEBHOOK_PRIVATE_NETWORKS,
      defaultHeaders: {},
    },
    mail: { url: values.SMTP_URL, from: values.MAIL_FROM },
    log: {
      level: values.LOG_LEVEL,
      requests: values.LOG_REQUESTS,
      slowQuery: 1000,
      monitorCommands: values.MONITOR_COMMANDS,
    },
    plugins,
    variables: { ...environment },
  });
}

/** Undefined variables are those of the Strapi v4 project that the content types come from. */
async function chooseDialect(
  { NODE_ENV, STRAPI_DATABASE, STRAPI_DATABASE_COLLATION: collation }: Values,
  folder: string,
  environment: Environment,
): Promise<Config['dialect']> {
  if (STRAPI_DATABASE !== undefined) return { database: STRAPI_DATABASE, collation, source: 'STRAPI_DATABASE' };
  const named = await readDatabaseClient(folder, NODE_ENV, environment);
  return { database: named ?? 'sqlite', collation, source: named === undefined ? 'default' : 'config/database' };
}

/** `jwtSecret` of `config/plugins`, as Strapi v4 projects set it. */
function jwtSecretOf(plugins: Config['plugins']): string | undefined {
  const secret = plugins['users-permissions']?.config['jwtSecret'];
  return typeof secret === 'string' && secret !== '' ? secret : undefined;
}

/** The default folder of content types: one in the project, or the project itself if it is one of Strapi v4. */
function findContentTypes(project: string, defaultFolder: string): string {
  const folder = path.resolve(project, defaultFolder);
  return !existsSync(folder) && existsSync(path.join(project, 'src', 'api')) ? project : folder;
}

/** Freezes lists and plain objects, but no other objects of the project's plugins file, e.g. a cache. */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}

const address = /^\s*mongodb(?:\+srv)?:\/\//;

/**
 * The problem with the choice of a production database: an empty engine in place of the intended one is worse than a start
 * that fails. A line for the operator, without any variable's value.
 */
function checkDatabase(
  { MONGODB_URI, DATABASE }: Pick<Values, 'MONGODB_URI' | 'DATABASE'>,
  environment: Environment,
): readonly string[] {
  if (MONGODB_URI !== undefined || DATABASE !== 'auto') return [];
  const misspelt = Object.keys(environment).find(
    (name) => !Object.hasOwn(variables, name) && address.test(environment[name] ?? ''),
  );
  const hint = misspelt === undefined ? '' : `; did you mean MONGODB_URI where you set ${misspelt}?`;
  return [`MONGODB_URI is missing; in production set it, or DATABASE=embedded to run on the embedded engine${hint}`];
}
