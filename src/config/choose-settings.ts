import { bounds } from './bounds.js';
import type { CorsSettings } from './cors-settings.js';
import type { SecurityHeader } from './security-settings.js';
import { availableParallelism } from 'node:os';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { StartError } from '../errors/start-error.js';
import { loadPlugins } from './plugins/load-plugins.js';
import type { PluginSettings } from './plugins/parse-plugins.js';
import { readDatabaseClient } from './project/database-client.js';
import { readProjectFile } from './project/env-file.js';
import { isStrapiProject } from './project/is-strapi-project.js';
import { versionSettings } from './project/version-settings.js';
import { readStrapiVersion } from './project/strapi-version.js';
import { exportVariables } from './project/variables.js';
import { misspeltAddress } from './misspelt-variables.js';
import { databaseName, databaseOfUri } from './values.js';
import { complain, parseVariables, type Environment } from './parse-variables.js';
import { checkSecrets, loadSecrets, type Secrets } from './secrets.js';
import { describeSystem } from './system.js';
import { variables, type Values } from './variables.js';

/** The database whose rules values follow; see docs/databases.md. */
export interface DialectConfig {
  readonly database: NonNullable<Values['STRAPI_DATABASE']>;
  /** The name of its collation; undefined: that of a usual installation. */
  readonly collation: string | undefined;
  /** What says so. */
  readonly source: 'STRAPI_DATABASE' | 'config/database' | 'default';
  /** The variable without a value that names the database in `config/database`, which only has a default. */
  readonly unsetVariable?: string | undefined;
}

/** Where nothing starts, problems are lines, and what they are about is left out: no secrets are read or made. */
export interface Tolerance {
  /** Receives what a start in production needs. */
  readonly needs: (line: string) => void;
  /** Receives what is wrong with variables and with the plugins file. Default: that is an error. */
  readonly mistakes?: ((line: string) => void) | undefined;
}

/**
 * The settings by environment variables, which `variables` describes, and files, see `loadConfig`.
 * @throws StartError
 */
export async function chooseSettings(own: Environment, projectFolder: string, tolerance?: Tolerance) {
  const project = path.resolve(projectFolder);
  const contentTypes = findContentTypes(project, own['CONTENT_TYPES']);
  const environment = { ...(contentTypes === project ? {} : readProjectFile(contentTypes, own)), ...own };
  // Code and settings of Strapi projects read them there, too.
  if (isStrapiProject(contentTypes)) exportVariables(environment);
  const { values, definedNames, complaints } = parseVariables(environment);
  const production = values.NODE_ENV === 'production';
  const folders = { project, data: path.resolve(project, values.DATA_FOLDER), contentTypes };
  const strapi = readStrapiVersion(contentTypes);
  const { plugins, servicePlugins, ...rest } = versionSettings(
    strapi,
    await loadPlugins(project, environment, { contentTypes, environment: values.NODE_ENV }).catch((error: unknown) => {
      if (tolerance?.mistakes === undefined || !(error instanceof StartError)) throw error;
      tolerance.mistakes(error.message);
      return {};
    }),
    { folder: contentTypes, prefix: values.REST_PREFIX, isNamed: definedNames.has('REST_PREFIX') },
  );
  const secrets = { ...values, JWT_SECRET: values.JWT_SECRET ?? jwtSecretOf(plugins) };
  const named = definedNames.has('DATABASE_NAME') ? undefined : databaseOfUri(values.MONGODB_URI ?? '');
  const problems = [
    ...complaints,
    ...(named === undefined || databaseName.parse(named) ? [] : [complain('DATABASE_NAME', named, ' of MONGODB_URI')]),
  ];
  const needs = production ? [...checkDatabase(values, environment), ...checkSecrets(secrets)] : [];
  for (const line of needs) tolerance?.needs(line);
  for (const line of problems) tolerance?.mistakes?.(line);
  const stopping = [...(tolerance?.mistakes ? [] : problems), ...(tolerance ? [] : needs)];
  if (stopping.length > 0) throw new StartError(stopping.join('\n'));

  return {
    environment: values.NODE_ENV,
    server: {
      host: production && !definedNames.has('HOST') ? '0.0.0.0' : values.HOST,
      /** 0: any free port. */
      port: values.PORT,
      /** The public URL without a trailing slash; undefined if production does not set it. */
      publicUrl: values.PUBLIC_URL ?? (production ? undefined : `http://localhost:${values.PORT}`),
      /** Processes that serve. */
      workers: values.CLUSTER === 'auto' ? availableParallelism() : values.CLUSTER,
      gracePeriod: values.GRACE_PERIOD,
      drainDelay: values.DRAIN_DELAY,
      closeDelay: values.CLOSE_DELAY,
      /**
       * In milliseconds: to receive the headers, to receive the whole request, and that an idle connection stays open.
       */
      headersTimeout: 10_000,
      requestTimeout: values.REQUEST_TIMEOUT,
      keepAliveTimeout: values.KEEP_ALIVE_TIMEOUT,
    },
    /** Settings of the middleware that runs before every route. */
    http: {
      cors: { origins: values.CORS_ORIGINS } as CorsSettings,
      /** Those of `strapi::security`, if a project has options of its own. */
      security: undefined as readonly SecurityHeader[] | undefined,
      /** The options of a project for query strings; undefined: none. */
      query: undefined as object | undefined,
      compression: values.COMPRESSION,
      etag: values.ETAG,
      cacheControl: values.CACHE_CONTROL,
      cacheTags: values.CACHE_TAGS,
      /** Characters of a request's path and query string. */
      urlLimit: bounds.urlCharacters,
      unknownAuthorization: values.UNKNOWN_AUTHORIZATION,
      trustedProxies: values.TRUSTED_PROXIES,
      /** Maximum requests per client address; undefined: no limit. */
      rateLimit: values.RATE_LIMIT === 0 ? undefined : { max: values.RATE_LIMIT, within: 60 },
      metricsToken: values.METRICS_TOKEN,
    },
    /** Which database to use, and where to find it. */
    database: {
      choice: values.DATABASE,
      uri: values.MONGODB_URI,
      /** The database's name. */
      name: named ?? values.DATABASE_NAME,
      /** MONGOMS_SYSTEM_BINARY: a mongod to start. */
      systemBinary: values.MONGOMS_SYSTEM_BINARY && path.resolve(project, values.MONGOMS_SYSTEM_BINARY),
      /** Folders of the PATH, where a mongod may be. */
      searchPath: describeSystem(environment).searchPath,
      /** Where a local engine keeps its data. */
      dataFolder: folders.data,
    },
    dialect: await chooseDialect(values, [contentTypes, project], environment),
    folders,
    /** Whose API and code the project is written for: it decides which forms of both run. */
    strapi,
    secrets: tolerance === undefined ? loadSecrets(secrets, folders.data) : noSecrets,
    /** The cost of password hashes; see `createPasswords`. */
    passwordRounds: 10,
    drafts: values.DRAFTS,
    rest: {
      /** The path of the API in Strapi v4's form, without a slash at the end. */
      prefix: rest.prefix,
      /** Whether that form is there. */
      isOffered: rest.isOffered,
      /** The path that code of the project adds its routes below. */
      codePrefix: strapi.major === 5 ? '/api' : rest.prefix,
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
      /** Maximum relations, components and media that one query populates, over all levels. */
      populate: bounds.populated,
      deepLevels: values.DEEP_POPULATE,
      /** Maximum operations of a batch. */
      batch: bounds.operations,
      /** Maximum entries in one relation or media field of written data. */
      relations: bounds.relatedEntries,
      /** Maximum components in the data of one request, at all levels. */
      components: values.COMPONENT_LIMIT,
      /** Maximum names and elements of lists in values of type `json` of the data of one request. */
      jsonValues: values.JSON_LIMIT,
      queryTime: values.QUERY_TIMEOUT,
      /** Milliseconds after which a response with cache tags is compared with the changes since its read began. */
      quickRead: 100,
      /** Maximum milliseconds for which a write waits for a transaction that does not get on. */
      lockWait: 3000,
      /** Concurrent requests, queued requests, and milliseconds in the queue; all are maxima. */
      concurrency: values.CONCURRENCY,
      queueLimit: 1000,
      queueTimeoutMs: 3000,
    },
    events: {
      record: values.EVENTS,
      retention: { number: 100_000, milliseconds: 7 * 24 * 3_600_000 },
      /** Open change feeds of one process, and of one caller there. */
      feeds: { all: 1000, perCaller: 100 },
      publication: values.EVENTS_PUBLICATION,
      allowPrivate: values.WEBHOOK_PRIVATE_NETWORKS ?? values.NODE_ENV === 'development',
      /** Headers of every webhook request: `webhooks.defaultHeaders` of a Strapi v4 project's `config/server`. */
      defaultHeaders: NONE,
    },
    mail: {
      url: values.SMTP_URL,
      from: values.MAIL_FROM,
    },
    log: {
      level: values.LOG_LEVEL,
      requests: values.LOG_REQUESTS,
      /** Milliseconds from which a database command is logged. */
      slowQuery: 1000,
      monitorCommands: values.MONITOR_COMMANDS,
    },
    /** By the plugin's name. */
    plugins,
    /** Those of plugins of the service that the version of the project turns on, see `versionSettings`. */
    servicePlugins,
    /** Every environment variable, for values that the project's files refer to. */
    variables: { ...environment },
  };
}

const NONE: Readonly<Record<string, string>> = {};

/** Undefined variables are those of the project, or of the Strapi v4 project that the content types come from. */
async function chooseDialect(
  { NODE_ENV, STRAPI_DATABASE, STRAPI_DATABASE_COLLATION: collation }: Values,
  folders: readonly string[],
  environment: Environment,
): Promise<DialectConfig> {
  if (STRAPI_DATABASE !== undefined) return { database: STRAPI_DATABASE, collation, source: 'STRAPI_DATABASE' };
  const named = await readDatabaseClient(folders, NODE_ENV, environment);
  if (named === undefined) return { database: 'sqlite', collation, source: 'default' };
  return { ...named, collation, source: 'config/database' };
}

/** `jwtSecret` of `config/plugins`, as Strapi v4 projects set it. */
function jwtSecretOf(plugins: Readonly<Record<string, PluginSettings>>): string | undefined {
  const secret = plugins['users-permissions']?.config['jwtSecret'];
  return typeof secret === 'string' && secret !== '' ? secret : undefined;
}

/** Of who looks at a project: nothing is signed with them. */
const noSecrets: Secrets = { jwt: '', apiTokenSalt: '' };

/**
 * The folder of content types. By default it is one in the project, or the project itself if it is one of Strapi v4.
 */
export function findContentTypes(project: string, named: string | undefined): string {
  if (named?.trim()) return path.resolve(project, named.trim());
  const folder = path.resolve(project, variables.CONTENT_TYPES.default);
  return !existsSync(folder) && isStrapiProject(project) ? project : folder;
}

/**
 * The problem with the choice of a production database: an empty engine in place of the intended one is worse than a
 * start that fails. A line for the operator, without any variable's value.
 */
function checkDatabase({ MONGODB_URI, DATABASE }: Values, environment: Environment): readonly string[] {
  // One that is not allowed has a line already.
  if (MONGODB_URI !== undefined || (environment['MONGODB_URI']?.trim() ?? '') !== '' || DATABASE !== 'auto') return [];
  const misspelt = misspeltAddress(environment, /./);
  const hint = misspelt === undefined ? '' : `; did you mean MONGODB_URI where you set ${misspelt}?`;
  return [`MONGODB_URI is missing; in production set it, or DATABASE=embedded to run on the embedded engine${hint}`];
}
