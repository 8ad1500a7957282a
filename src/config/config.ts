import type { PluginSettings } from './parse-plugins.js';
import type { Values } from './variables.js';

/** All settings of a running service: read once at start, checked, frozen. Paths are absolute. */
export interface Config {
  readonly environment: Values['NODE_ENV'];
  readonly server: {
    readonly host: string;
    /** 0: any free one. */
    readonly port: number;
    /** Where clients reach it, without a slash at the end; undefined when production does not say it. */
    readonly publicUrl: string | undefined;
    /** Milliseconds that requests have to finish when the service stops. */
    readonly gracePeriod: number;
  };
  readonly database: DatabaseConfig;
  readonly folders: { readonly project: string; readonly data: string; readonly contentTypes: string };
  readonly secrets: Secrets;
  readonly rest: {
    readonly defaultLimit: number;
    readonly maxLimit: number;
    readonly withCount: boolean;
    /** Entries of localized types tell their other localizations in `meta`. */
    readonly entryMeta: boolean;
  };
  readonly limits: {
    /** Bytes of a request's body. */
    readonly body: number;
    /** Relations, components and media that one query may populate, over all levels. */
    readonly populate: number;
    /** Milliseconds that a read may take in the database. */
    readonly queryTime: number;
  };
  readonly mail: {
    /** The SMTP server; undefined: mail is not sent. */
    readonly url: string | undefined;
    readonly from: string;
  };
  readonly log: { readonly level: Values['LOG_LEVEL'] };
  /** By the plugin's name. */
  readonly plugins: Readonly<Record<string, PluginSettings>>;
  /** Every variable by its name, for values that an owner's file names. */
  readonly variables: Readonly<Record<string, string | undefined>>;
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
