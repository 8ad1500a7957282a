import { bounds } from './bounds.js';
import {
  apiPath,
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

/** One environment variable. The reference and .env.example are generated from these rows. */
interface Variable extends Value<unknown> {
  readonly default?: string;
  /** Its value is never shown. */
  readonly secret?: true;
  /** For the reference: what it does, in sentences. */
  readonly description: string;
}

const folder = text('a folder, absolute or relative to the project folder');
const secret = text('at least 16 characters in production, no repetition');
const milliseconds = integerBetween(1, 3_600_000);

/** Every environment variable that the service reads, by the heading of the reference. */
export const variableGroups = {
  'Process and address': {
    NODE_ENV: {
      default: 'development',
      ...oneOf('development', 'production', 'test'),
      description:
        '`production` requires `MONGODB_URI` and both secrets, and turns off what only developers should see.',
    },
    HOST: {
      default: '127.0.0.1',
      ...text('a host name or an address to listen on'),
      description:
        'The address to listen on. In production the default is `0.0.0.0`, because containers are reached from outside.',
    },
    PORT: {
      default: '1337',
      ...integerBetween(0, 65_535),
      description: 'The port to listen on. `0` means any free port.',
    },
    CLUSTER: {
      default: '1',
      ...numberOrAuto(1, 256),
      description:
        'The number of processes that serve on this address and share the database of `MONGODB_URI`. `auto` starts one for each core.',
    },
    PUBLIC_URL: {
      ...publicUrl,
      description:
        'The URL under which clients reach the service. OAuth providers redirect to it, so they need it in production. The default in development is `http://localhost` with the port.',
    },
    TRUSTED_PROXIES: {
      default: '0',
      ...integerBetween(0, 10),
      description:
        'The number of proxies in front of the service, counted from the right of `X-Forwarded-For`. `0` ignores the header.',
    },
  },
  'Database and folders': {
    MONGODB_URI: {
      ...mongodbUri,
      secret: true,
      description: 'The database, MongoDB 7 or newer. Required in production, unless `DATABASE` names another one.',
    },
    DATABASE_NAME: {
      default: 'content_service',
      ...databaseName,
      description: 'The name of the database. A name in `MONGODB_URI` takes its place as the default.',
    },
    DATABASE: {
      default: 'auto',
      ...oneOf('auto', 'embedded', 'mongod', 'download'),
      description:
        '`auto` uses `MONGODB_URI` if it is set, otherwise a local `mongod`, otherwise the embedded engine. The other values use only the engine that they name (`download`: the `mongod` of mongodb-memory-server), with its data in `DATA_FOLDER`. They lift the need for `MONGODB_URI` in production and are not recommended there.',
    },
    STRAPI_DATABASE: {
      ...oneOf('sqlite', 'postgres', 'mysql'),
      description:
        'Whose rules values follow: how texts are compared and sorted, where missing values are in lists, how times and decimals are written. A project has those of its `config/database`, by default those of `sqlite`.',
    },
    STRAPI_DATABASE_COLLATION: {
      ...text('the name of a collation of STRAPI_DATABASE'),
      description:
        'How `STRAPI_DATABASE` compares texts. The default is that of a usual installation: `en_US` of `postgres`, `0900_ai_ci` of `mysql`.',
    },
    MONGOMS_SYSTEM_BINARY: {
      ...text('the path of a mongod program'),
      description: 'The `mongod` program to run in place of the one on the `PATH`.',
    },
    DATA_FOLDER: {
      default: '.data',
      ...folder,
      description: 'Holds the local database, generated secrets and local uploads.',
    },
    ENV_PATH: {
      ...text('a file, absolute or relative to the folder of the Strapi v4 project'),
      description: 'The file that a Strapi v4 project has in place of its `.env`, as there. It must exist.',
    },
    CONTENT_TYPES: {
      default: 'content-types',
      ...folder,
      description: 'The folder of the content types, or a Strapi v4 project.',
    },
  },
  'Secrets and mail': {
    JWT_SECRET: {
      ...secret,
      secret: true,
      description:
        'Signs the tokens of users and preview links. A new value ends all sessions. Development generates it in `DATA_FOLDER/secrets.json`.',
    },
    API_TOKEN_SALT: {
      ...secret,
      secret: true,
      description:
        'The key of the hashes of API tokens. A new value invalidates all tokens. Development generates it in `DATA_FOLDER/secrets.json`.',
    },
    SMTP_URL: {
      ...smtpUrl,
      secret: true,
      description: 'The mail server. Without it no mail is sent; development prints mails to the log.',
    },
    MAIL_FROM: {
      default: 'Content Service <no-reply@localhost>',
      ...text('an address, with or without a name'),
      description: 'The sender of mails.',
    },
  },
  Access: {
    DRAFTS: {
      default: 'open',
      ...oneOf('open', 'restricted'),
      description:
        'Who sees drafts. `open`: everyone who may read entries of the type, as in Strapi v4. `restricted`: only callers with the permission `<uid>.find.drafts`, and preview links.',
    },
    UNKNOWN_AUTHORIZATION: {
      default: 'refuse',
      ...oneOf('refuse', 'ignore'),
      description:
        'What is done with a header `Authorization` that is not `Bearer <token>`. `refuse`: 401. `ignore`: it counts as none, as in Strapi v4; for a proxy that passes on its own Basic authentication.',
    },
    CORS_ORIGINS: {
      default: '*',
      ...origins,
      description: 'The origins whose pages can read responses. Only listed origins can send cookies.',
    },
    METRICS_TOKEN: {
      ...text('the token that /metrics requires'),
      secret: true,
      description:
        'Lets other machines read `/metrics` with `Authorization: Bearer <token>`. Without it only this machine can.',
    },
    RATE_LIMIT: {
      default: '0',
      ...integerBetween(0, 1_000_000),
      description:
        'Requests per client address and minute; `0` means no limit. Processes that share a database count together.',
    },
  },
  'Lists and responses': {
    REST_PREFIX: {
      default: '/api',
      ...apiPath,
      description:
        'The path of the REST API. A Strapi project can set it as `rest.prefix` in `config/api`, too, which takes precedence.',
    },
    REST_DEFAULT_LIMIT: {
      default: '25',
      ...integerBetween(1, 10_000),
      description: 'The page size of a list that asks for none.',
    },
    REST_MAX_LIMIT: {
      default: '100',
      ...integerBetween(1, 10_000),
      description: 'The largest page size.',
    },
    REST_WITH_COUNT: {
      default: 'true',
      ...trueOrFalse,
      description: 'Whether lists have a `total`, unless the request says otherwise.',
    },
    REST_ENTRY_META: {
      default: 'true',
      ...trueOrFalse,
      description: 'Whether an entry of a localized type lists its other localizations in `meta`.',
    },
    DEEP_POPULATE: {
      ...integerBetween(1, 100),
      description: 'The levels of `populate=deep`, with the entry itself. Not offered if not set.',
    },
  },
  'Limits of a request': {
    BODY_LIMIT: {
      default: '1mb',
      ...size,
      description:
        'The largest body in JSON. Files have a limit of their own. The bodies of all requests in progress take at most 64 times as much [memory](../reliability.md#overload), at least 64 MB.',
    },
    COMPONENT_LIMIT: {
      default: String(bounds.components),
      ...integerBetween(1, 100_000),
      description:
        'The components in the data of a write, at all levels; of a batch and of a request of GraphQL, in all operations together. Each takes about 1.5 kB of memory. Code of the project and seeds have no limit.',
    },
    JSON_LIMIT: {
      default: String(bounds.jsonValues),
      ...integerBetween(1, 1_000_000),
      description:
        'The names and the elements of lists in the values of type `json` of a write, at all levels; of a batch and of a request of GraphQL, in all operations together. Each takes some microseconds of the processor. Code of the project and seeds have no limit.',
    },
    RESPONSE_LIMIT: {
      default: '32mb',
      ...size,
      description: 'The approximate size of the largest response.',
    },
    QUERY_TIMEOUT: {
      default: '15000',
      ...milliseconds,
      description: 'Milliseconds that a read of the database may take.',
    },
    CONCURRENCY: {
      default: '64',
      ...integerBetween(1, 10_000),
      description:
        'Requests that run at a time. Others wait in a queue; while it is full, they get 503 with `Retry-After`.',
    },
    REQUEST_TIMEOUT: {
      default: '300000',
      ...milliseconds,
      description: 'Milliseconds in which a whole request must arrive.',
    },
    KEEP_ALIVE_TIMEOUT: {
      default: '65000',
      ...milliseconds,
      description: 'Milliseconds that an idle connection stays open. Make it longer than that of your load balancer.',
    },
  },
  Caching: {
    RESPONSE_CACHE: {
      ...sizeOrZero,
      description:
        'The size of the response cache of each process; `0` turns it off. A cached response is dropped when a write can affect it, and after a minute at the latest. The default is `32mb`, or `0` if `MONGODB_URI` has a `readPreference` other than `primary`.',
    },
    ETAG: {
      default: 'true',
      ...trueOrFalse,
      description: 'Whether entries and lists have an `ETag`, and a repeated request gets 304.',
    },
    CACHE_CONTROL: {
      ...cacheControl,
      description: 'The header `Cache-Control` of entries and files that are read without credentials.',
    },
    CACHE_TAGS: {
      default: 'false',
      ...trueOrFalse,
      description:
        'Whether reads without credentials have tags by which a [CDN](../cdn.md) can purge them when a write changes them.',
    },
    COMPRESSION: {
      default: 'false',
      ...trueOrFalse,
      description: 'Compresses responses of 2 kB and more. A proxy can do it too.',
    },
  },
  Events: {
    EVENTS: {
      default: 'false',
      ...trueOrFalse,
      description: 'Records writes even if no webhook is declared, and opens `/api/changes`.',
    },
    EVENTS_PUBLICATION: {
      default: 'false',
      ...trueOrFalse,
      description: 'Sends `entry.publish` and `entry.unpublish` to webhooks, in addition to `entry.update`.',
    },
    WEBHOOK_PRIVATE_NETWORKS: {
      ...trueOrFalse,
      description:
        'Allows receivers of webhooks in private networks and on this machine. The default is `true` in development, otherwise `false`.',
    },
  },
  'Logs and metrics': {
    LOG_LEVEL: {
      default: 'info',
      ...oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
      description: 'The least severe lines that are logged.',
    },
    LOG_REQUESTS: {
      default: 'false',
      ...trueOrFalse,
      description: "Logs every request with the client's address and the caller's role, without its query string.",
    },
    MONITOR_COMMANDS: {
      default: 'false',
      ...trueOrFalse,
      description:
        'Measures database commands for `/metrics`, and logs those that take a second or more, without their strings. Always on in development. A list that takes so long without an index is logged once in any case, with the index to declare.',
    },
  },
  Shutdown: {
    DRAIN_DELAY: {
      default: '0',
      ...integerBetween(0, 600_000),
      description: 'Milliseconds for which `/_ready` returns 503 before the service stops accepting connections.',
    },
    CLOSE_DELAY: {
      default: '1000',
      ...integerBetween(0, 600_000),
      description: 'Milliseconds in which clients can see `Connection: close` before idle connections are closed.',
    },
    GRACE_PERIOD: {
      default: '10000',
      ...milliseconds,
      description: 'Milliseconds that requests in progress have to finish.',
    },
  },
} as const satisfies Record<string, Record<string, Variable>>;

export const variables = {
  ...variableGroups['Process and address'],
  ...variableGroups['Database and folders'],
  ...variableGroups['Secrets and mail'],
  ...variableGroups.Access,
  ...variableGroups['Lists and responses'],
  ...variableGroups['Limits of a request'],
  ...variableGroups.Caching,
  ...variableGroups.Events,
  ...variableGroups['Logs and metrics'],
  ...variableGroups.Shutdown,
};

export type Name = keyof typeof variables;

/** The parsed value of a variable. */
type Parsed<N extends Name> = NonNullable<ReturnType<(typeof variables)[N]['parse']>>;

/** A value for each variable; undefined if it is not set and has no default. */
export type Values = {
  readonly [N in Name]: Parsed<N> | ((typeof variables)[N] extends { default: string } ? never : undefined);
};
