import {
  type Value,
  cacheControl,
  databaseName,
  integerBetween,
  mongodbUri,
  numberOrAuto,
  oneOf,
  origins,
  publicUrl,
  size,
  sizeOrZero,
  smtpUrl,
  text,
  trueOrFalse,
} from './values.js';

/** One environment variable. .env.example lists the `default`; a `secret`'s value is never shown. */
interface Variable extends Value<unknown> {
  readonly default?: string;
  readonly secret?: true;
}

const folder = text('a folder, absolute or relative to the project folder');
const secret = text('at least 16 characters in production');
const milliseconds = integerBetween(1, 3_600_000);

/** Every environment variable that the service reads. */
export const variables = {
  NODE_ENV: { default: 'development', ...oneOf('development', 'production', 'test') },
  /** 0.0.0.0 in production: containers are reached from outside. */
  HOST: { default: '127.0.0.1', ...text('a host name or an address to listen on') },
  PORT: { default: '1337', ...integerBetween(0, 65_535) },
  CLUSTER: { default: '1', ...numberOrAuto(1, 256) },
  /** In development that of the port on this machine. */
  PUBLIC_URL: publicUrl,
  LOG_LEVEL: { default: 'info', ...oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent') },
  MONGODB_URI: { ...mongodbUri, secret: true },
  /** Defaults to the database in MONGODB_URI. */
  DATABASE_NAME: { default: 'content_service', ...databaseName },
  DATABASE: { default: 'auto', ...oneOf('auto', 'embedded', 'mongod', 'download') },
  MONGOMS_SYSTEM_BINARY: text('the path of a mongod program'),
  DATA_FOLDER: { default: '.data', ...folder },
  CONTENT_TYPES: { default: 'content-types', ...folder },
  JWT_SECRET: { ...secret, secret: true },
  API_TOKEN_SALT: { ...secret, secret: true },
  SMTP_URL: { ...smtpUrl, secret: true },
  MAIL_FROM: { default: 'Content Service <no-reply@localhost>', ...text('an address, with or without a name') },
  /** open: as in Strapi v4, for everyone who may read; restricted: for callers with the permission `<uid>.find.drafts`. */
  DRAFTS: { default: 'open', ...oneOf('open', 'restricted') },
  /** ignore: as in Strapi v4, a header `Authorization` without a bearer token counts as none. */
  UNKNOWN_AUTHORIZATION: { default: 'refuse', ...oneOf('refuse', 'ignore') },
  REST_DEFAULT_LIMIT: { default: '25', ...integerBetween(1, 10_000) },
  REST_MAX_LIMIT: { default: '100', ...integerBetween(1, 10_000) },
  REST_WITH_COUNT: { default: 'true', ...trueOrFalse },
  REST_ENTRY_META: { default: 'true', ...trueOrFalse },
  BODY_LIMIT: { default: '1mb', ...size },
  RESPONSE_LIMIT: { default: '32mb', ...size },
  QUERY_TIMEOUT: { default: '15000', ...milliseconds },
  /** Writes are recorded as events even if no webhook is declared. */
  EVENTS: { default: 'false', ...trueOrFalse },
  EVENTS_PUBLICATION: { default: 'false', ...trueOrFalse },
  WEBHOOK_PRIVATE_NETWORKS: { default: 'false', ...trueOrFalse },
  CONCURRENCY: { default: '64', ...integerBetween(1, 10_000) },
  CORS_ORIGINS: { default: '*', ...origins },
  COMPRESSION: { default: 'false', ...trueOrFalse },
  ETAG: { default: 'true', ...trueOrFalse },
  CACHE_CONTROL: cacheControl,
  /** 0: none. Default: 32 MB, if all reads use the primary. */
  RESPONSE_CACHE: sizeOrZero,
  /** Levels of `populate=deep`; undefined: it is not offered. */
  DEEP_POPULATE: integerBetween(1, 100),
  TRUSTED_PROXIES: { default: '0', ...integerBetween(0, 10) },
  /** Per minute; 0: none. */
  RATE_LIMIT: { default: '0', ...integerBetween(0, 1_000_000) },
  METRICS_TOKEN: { ...text('the token that /metrics requires'), secret: true },
  LOG_REQUESTS: { default: 'false', ...trueOrFalse },
  MONITOR_COMMANDS: { default: 'false', ...trueOrFalse },
  REQUEST_TIMEOUT: { default: '300000', ...milliseconds },
  KEEP_ALIVE_TIMEOUT: { default: '65000', ...milliseconds },
  DRAIN_DELAY: { default: '0', ...integerBetween(0, 600_000) },
  CLOSE_DELAY: { default: '1000', ...integerBetween(0, 600_000) },
  GRACE_PERIOD: { default: '10000', ...milliseconds },
} as const satisfies Record<string, Variable>;

export type Name = keyof typeof variables;

/** The parsed value of a variable. */
type Parsed<N extends Name> = NonNullable<ReturnType<(typeof variables)[N]['parse']>>;

/** A value for each variable; undefined if it is not set and has no default. */
export type Values = {
  readonly [N in Name]: Parsed<N> | ((typeof variables)[N] extends { default: string } ? never : undefined);
};
