import type { PluginSettings } from './plugins/parse-plugins.js';
import type { Values } from './variables.js';

/** All settings of a running service: read once at start, checked, frozen. Paths are absolute. */
export interface Config {
  readonly environment: Values['NODE_ENV'];
  readonly server: {
    readonly host: string;
    /** 0: any free port. */
    readonly port: number;
    /** Processes that serve. */
    readonly workers: number;
    /** The public URL without a trailing slash; undefined if production does not set it. */
    readonly publicUrl: string | undefined;
    /** Milliseconds that requests have to finish when the service stops. */
    readonly gracePeriod: number;
    /** Milliseconds between the first 503 of /_ready and the end of listening. */
    readonly drainDelay: number;
    /** Milliseconds between the first `Connection: close` and the end of idle connections. */
    readonly closeDelay: number;
    /** In milliseconds: to receive the headers, to receive the whole request, and that an idle connection stays open. */
    readonly headersTimeout: number;
    readonly requestTimeout: number;
    readonly keepAliveTimeout: number;
  };
  readonly http: HttpConfig;
  readonly database: DatabaseConfig;
  readonly dialect: DialectConfig;
  readonly folders: { readonly project: string; readonly data: string; readonly contentTypes: string };
  readonly secrets: Secrets;
  /** The cost of password hashes; see `createPasswords`. */
  readonly passwordRounds: number;
  readonly drafts: Values['DRAFTS'];
  readonly rest: {
    /** The path of the API, `/api`, without a slash at the end. */
    readonly prefix: string;
    readonly defaultLimit: number;
    readonly maxLimit: number;
    readonly withCount: boolean;
    /** Entries of localized types list their other localizations in `meta`. */
    readonly entryMeta: boolean;
    /** Size of the response cache in bytes, 0 for none; undefined: the default, if all reads use the primary. */
    readonly responseCache: number | undefined;
  };
  readonly limits: {
    /** Maximum bytes of a request's body. */
    readonly body: number;
    /** Maximum bytes of a response. */
    readonly response: number;
    /** Maximum relations, components and media that one query populates, over all levels. */
    readonly populate: number;
    /** Levels of `populate=deep`; undefined: it is not offered. */
    readonly deepLevels: number | undefined;
    /** Maximum operations of a batch. */
    readonly batch: number;
    /** Maximum entries in one relation or media field of written data. */
    readonly relations: number;
    /** Maximum milliseconds of a read in the database. */
    readonly queryTime: number;
    /** Maximum milliseconds for which a write waits for a transaction that does not get on. */
    readonly lockWait: number;
    /** Concurrent requests, queued requests, and milliseconds in the queue; all are maxima. */
    readonly concurrency: number;
    readonly queueLimit: number;
    readonly queueTimeoutMs: number;
  };
  readonly events: {
    /** Writes are recorded even if no webhook is declared. */
    readonly record: boolean;
    readonly retention: { readonly number: number; readonly milliseconds: number };
    /** Open change feeds of one process, and of one caller there. */
    readonly feeds: { readonly all: number; readonly perCaller: number };
    /** Publishing over the API has an event beside `entry.update`. */
    readonly publication: boolean;
    /** Receivers of webhooks may be in private networks. */
    readonly allowPrivate: boolean;
    /** Headers of every webhook request: `webhooks.defaultHeaders` of a Strapi v4 project's `config/server`. */
    readonly defaultHeaders: Readonly<Record<string, string>>;
  };
  readonly mail: {
    /** The SMTP server; undefined: mail is not sent. */
    readonly url: string | undefined;
    readonly from: string;
  };
  readonly log: {
    readonly level: Values['LOG_LEVEL'];
    /** Every request. */
    readonly requests: boolean;
    /** Milliseconds from which a database command is logged. */
    readonly slowQuery: number;
    /** Measure database commands, and log slow ones. */
    readonly monitorCommands: boolean;
  };
  /** By the plugin's name. */
  readonly plugins: Readonly<Record<string, PluginSettings>>;
  /** Every environment variable, for values that the project's files refer to. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Settings of the middleware that runs before every route. */
export interface HttpConfig {
  /** Origins whose pages can read responses; listed origins can also send cookies. */
  readonly origins: 'any' | readonly string[];
  readonly compression: boolean;
  /** Answers have an ETag. */
  readonly etag: boolean;
  /** The header `Cache-Control` of reads without credentials. */
  readonly cacheControl: string | undefined;
  /** Those reads have tags for caches on the way to the client. */
  readonly cacheTags: boolean;
  /** Characters of a request's path and query string. */
  readonly urlLimit: number;
  /** What is done with a header `Authorization` that has no bearer token: `ignore` treats the client as anonymous. */
  readonly unknownAuthorization: Values['UNKNOWN_AUTHORIZATION'];
  /** Number of proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: number;
  /** Maximum requests per client address; undefined: no limit. */
  readonly rateLimit: { readonly max: number; readonly within: number } | undefined;
  /** For `/metrics`; undefined: only this machine can read them. */
  readonly metricsToken: string | undefined;
}

/** The database whose rules values follow; see docs/databases.md. */
export interface DialectConfig {
  readonly database: NonNullable<Values['STRAPI_DATABASE']>;
  /** The name of its collation; undefined: that of a usual installation. */
  readonly collation: string | undefined;
  /** What says so. */
  readonly source: 'STRAPI_DATABASE' | 'config/database' | 'default';
}

/** Which database to use, and where to find it. */
export interface DatabaseConfig {
  readonly choice: Values['DATABASE'];
  readonly uri: string | undefined;
  /** The database's name. */
  readonly name: string;
  /** MONGOMS_SYSTEM_BINARY: a mongod to start. */
  readonly systemBinary: string | undefined;
  /** Folders of the PATH, where a mongod may be. */
  readonly searchPath: readonly string[];
}

export interface Secrets {
  readonly jwt: string;
  readonly apiTokenSalt: string;
}

/** Whether the driver reports its commands. In development every response has its query cost. */
export const isMonitored = ({ environment, log }: Config): boolean =>
  environment === 'development' || log.monitorCommands;
