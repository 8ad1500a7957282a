import type { PluginSettings } from './plugins/parse-plugins.js';
import type { Values } from './variables.js';

/** All settings of a running service: read once at start, checked, frozen. Paths are absolute. */
export interface Config {
  readonly environment: Values['NODE_ENV'];
  readonly server: {
    readonly host: string;
    /** 0: any free one. */
    readonly port: number;
    /** Processes that serve. */
    readonly workers: number;
    /** Where clients reach it, without a slash at the end; undefined when production does not say it. */
    readonly publicUrl: string | undefined;
    /** Milliseconds that requests have to finish when the service stops. */
    readonly gracePeriod: number;
    /** Milliseconds between telling that the service stops and accepting no more connections. */
    readonly drainDelay: number;
    /** Milliseconds between telling clients to close their connections and closing those without a request. */
    readonly closeDelay: number;
    /** Milliseconds for the head of a request, for the whole of it, and that a connection is kept for the next. */
    readonly headTimeout: number;
    readonly requestTimeout: number;
    readonly keepAlive: number;
  };
  readonly http: HttpConfig;
  readonly database: DatabaseConfig;
  readonly folders: { readonly project: string; readonly data: string; readonly contentTypes: string };
  readonly secrets: Secrets;
  readonly rest: {
    readonly defaultLimit: number;
    readonly maxLimit: number;
    readonly withCount: boolean;
    /** Entries of localized types tell their other localizations in `meta`. */
    readonly entryMeta: boolean;
    /** Bytes of lists that are remembered; undefined: none. */
    readonly responseCache: number | undefined;
  };
  readonly limits: {
    /** Bytes of a request's body. */
    readonly body: number;
    /** Bytes of an answer. */
    readonly answer: number;
    /** Relations, components and media that one query may populate, over all levels. */
    readonly populate: number;
    /** Entries that one relation or media field of written data may name. */
    readonly relations: number;
    /** Milliseconds that a read may take in the database. */
    readonly queryTime: number;
    /** Requests that work at once; that wait for their turn; milliseconds that they wait at most. */
    readonly atOnce: number;
    readonly waiting: number;
    readonly longestWait: number;
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
    readonly commands: boolean;
  };
  /** By the plugin's name. */
  readonly plugins: Readonly<Record<string, PluginSettings>>;
  /** Every variable by its name, for values that an owner's file names. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** What stands before every route. */
export interface HttpConfig {
  /** Whose pages may read; those of listed ones may send cookies too. */
  readonly origins: 'any' | readonly string[];
  readonly compression: boolean;
  /** Answers have an ETag. */
  readonly etag: boolean;
  /** Of reads without credentials. */
  readonly cacheControl: string | undefined;
  /** Characters of a request's path and query string. */
  readonly urlLimit: number;
  /** Proxies before the service whose word on the client's address is taken. */
  readonly trustedProxies: number;
  /** Requests of one address; undefined: as many as it likes. */
  readonly rateLimit: { readonly most: number; readonly within: number } | undefined;
  /** For `/metrics`; undefined: this machine alone. */
  readonly metricsToken: string | undefined;
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
