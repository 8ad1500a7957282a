import { availableParallelism } from 'node:os';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Config } from '../../../src/config/config.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { StartError } from '../../../src/errors/start-error.js';

const strong = { JWT_SECRET: 'a-secret-for-tokens', API_TOKEN_SALT: 'a-salt-for-api-tokens' };
const inProduction = { NODE_ENV: 'production', MONGODB_URI: 'mongodb://db.test/content', ...strong };
let project: string;
beforeEach(() => {
  project = fs.mkdtempSync(path.join(os.tmpdir(), 'config-'));
});
afterEach(() => fs.rmSync(project, { recursive: true }));

const load = (environment: Record<string, string | undefined>): Promise<Config> => loadConfig(environment, project);
const complaints = (environment: Record<string, string>): Promise<string> =>
  load({ ...strong, ...environment }).then(
    () => 'nothing',
    (error: unknown) => (error instanceof StartError ? error.message : `no StartError: ${String(error)}`),
  );

test('without variables the defaults apply', async () => {
  expect(await load({ PATH: '/bin:relative' })).toEqual({
    environment: 'development',
    server: {
      host: '127.0.0.1',
      port: 1337,
      workers: 1,
      publicUrl: 'http://localhost:1337',
      gracePeriod: 10_000,
      drainDelay: 0,
      closeDelay: 1000,
      headersTimeout: 10_000,
      requestTimeout: 300_000,
      keepAliveTimeout: 65_000,
    },
    http: {
      cors: { origins: 'any' },
      cacheTags: false,
      compression: false,
      etag: true,
      cacheControl: undefined,
      unknownAuthorization: 'refuse',
      urlLimit: 16_384,
      trustedProxies: 0,
      rateLimit: undefined,
      metricsToken: undefined,
    },
    database: {
      choice: 'auto',
      uri: undefined,
      name: 'content_service',
      systemBinary: undefined,
      searchPath: ['/bin'],
      dataFolder: path.join(project, '.data'),
    },
    dialect: { database: 'sqlite', collation: undefined, source: 'default' },
    folders: { project, data: path.join(project, '.data'), contentTypes: path.join(project, 'content-types') },
    secrets: { jwt: expect.any(String), apiTokenSalt: expect.any(String) },
    strapi: { major: 4, name: undefined, hasGraphql: false },
    passwordRounds: 10,
    drafts: 'open',
    rest: {
      prefix: '/api',
      isOffered: true,
      codePrefix: '/api',
      defaultLimit: 25,
      maxLimit: 100,
      withCount: true,
      entryMeta: true,
    },
    limits: {
      body: 1_048_576,
      response: 33_554_432,
      populate: 500,
      batch: 100,
      components: 1000,
      jsonValues: 50_000,
      relations: 1000,
      queryTime: 15_000,
      quickRead: 100,
      lockWait: 3000,
      concurrency: 64,
      queueLimit: 1000,
      queueTimeoutMs: 3000,
    },
    events: {
      record: false,
      retention: { number: 100_000, milliseconds: 604_800_000 },
      feeds: { all: 1000, perCaller: 100 },
      publication: false,
      allowPrivate: true,
      defaultHeaders: {},
    },
    mail: { url: undefined, from: 'Content Service <no-reply@localhost>' },
    log: { level: 'info', requests: false, slowQuery: 1000, monitorCommands: false },
    plugins: {},
    servicePlugins: {},
    variables: { PATH: '/bin:relative' },
  });
});

test('every variable is part of the configuration', async () => {
  const input = {
    NODE_ENV: 'test',
    HOST: 'localhost',
    PORT: '0',
    CLUSTER: '13',
    PUBLIC_URL: 'https://cms.test/a/',
    LOG_LEVEL: 'silent',
    MONGODB_URI: 'mongodb://user:pass%2Fword@a.test:1,b.test:2/shop?replicaSet=rs0',
    DATABASE: 'mongod',
    STRAPI_DATABASE: 'postgres',
    STRAPI_DATABASE_COLLATION: 'de_DE',
    MONGOMS_SYSTEM_BINARY: 'bin/mongod',
    DATA_FOLDER: '/var/data',
    CONTENT_TYPES: 'types',
    JWT_SECRET: 'short',
    API_TOKEN_SALT: 'salty',
    SMTP_URL: 'smtps://user:pass@mail.test',
    MAIL_FROM: 'Shop <shop@a.test>',
    DRAFTS: 'restricted',
    UNKNOWN_AUTHORIZATION: 'ignore',
    REST_DEFAULT_LIMIT: '5',
    REST_MAX_LIMIT: '10',
    REST_WITH_COUNT: 'false',
    REST_ENTRY_META: 'false',
    RESPONSE_CACHE: '2mb',
    BODY_LIMIT: '500KB',
    COMPONENT_LIMIT: '2000',
    JSON_LIMIT: '3000',
    RESPONSE_LIMIT: '5mb',
    DEEP_POPULATE: '4',
    QUERY_TIMEOUT: '1000',
    GRACE_PERIOD: '1',
    DRAIN_DELAY: '2',
    CLOSE_DELAY: '3',
    REQUEST_TIMEOUT: '4',
    KEEP_ALIVE_TIMEOUT: '5',
    CONCURRENCY: '6',
    EVENTS: 'true',
    EVENTS_PUBLICATION: 'true',
    WEBHOOK_PRIVATE_NETWORKS: 'true',
    CORS_ORIGINS: 'https://a.test, http://localhost:3000',
    COMPRESSION: 'true',
    ETAG: 'true',
    CACHE_CONTROL: 'public, max-age=60',
    CACHE_TAGS: 'true',
    TRUSTED_PROXIES: '1',
    RATE_LIMIT: '10',
    METRICS_TOKEN: 'measure',
    LOG_REQUESTS: 'true',
    MONITOR_COMMANDS: 'true',
  };
  expect(await load(input)).toEqual({
    environment: 'test',
    server: {
      host: 'localhost',
      port: 0,
      workers: 13,
      publicUrl: 'https://cms.test/a',
      gracePeriod: 1,
      drainDelay: 2,
      closeDelay: 3,
      headersTimeout: 10_000,
      requestTimeout: 4,
      keepAliveTimeout: 5,
    },
    http: {
      cors: { origins: ['https://a.test', 'http://localhost:3000'] },
      compression: true,
      etag: true,
      cacheControl: 'public, max-age=60',
      cacheTags: true,
      unknownAuthorization: 'ignore',
      urlLimit: 16_384,
      trustedProxies: 1,
      rateLimit: { max: 10, within: 60 },
      metricsToken: 'measure',
    },
    database: {
      choice: 'mongod',
      uri: 'mongodb://user:pass%2Fword@a.test:1,b.test:2/shop?replicaSet=rs0',
      name: 'shop',
      systemBinary: path.join(project, 'bin/mongod'),
      searchPath: [],
      dataFolder: '/var/data',
    },
    dialect: { database: 'postgres', collation: 'de_DE', source: 'STRAPI_DATABASE' },
    folders: { project, data: '/var/data', contentTypes: path.join(project, 'types') },
    secrets: { jwt: 'short', apiTokenSalt: 'salty' },
    strapi: { major: 4, name: undefined, hasGraphql: false },
    passwordRounds: 10,
    drafts: 'restricted',
    rest: {
      prefix: '/api',
      isOffered: true,
      codePrefix: '/api',
      defaultLimit: 5,
      maxLimit: 10,
      withCount: false,
      entryMeta: false,
      responseCache: 2_097_152,
    },
    limits: {
      body: 512_000,
      response: 5_242_880,
      populate: 500,
      deepLevels: 4,
      batch: 100,
      components: 2000,
      jsonValues: 3000,
      relations: 1000,
      queryTime: 1000,
      quickRead: 100,
      lockWait: 3000,
      concurrency: 6,
      queueLimit: 1000,
      queueTimeoutMs: 3000,
    },
    events: {
      record: true,
      retention: { number: 100_000, milliseconds: 604_800_000 },
      feeds: { all: 1000, perCaller: 100 },
      publication: true,
      allowPrivate: true,
      defaultHeaders: {},
    },
    mail: { url: 'smtps://user:pass@mail.test', from: 'Shop <shop@a.test>' },
    log: { level: 'silent', requests: true, slowQuery: 1000, monitorCommands: true },
    plugins: {},
    servicePlugins: {},
    variables: input,
  });
});

test.each([
  [{ NODE_ENV: 'prod' }, 'NODE_ENV is "prod"; allowed: development, production or test'],
  [{ PORT: '65536' }, 'PORT is "65536"; allowed: a whole number from 0 to 65535'],
  [{ PORT: '80.5' }, 'PORT is "80.5"; allowed: a whole number from 0 to 65535'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is "loud"; allowed: trace, debug, info, warn, error, fatal or silent'],
  [{ DATABASE: 'sqlite' }, 'DATABASE is "sqlite"; allowed: auto, embedded, mongod or download'],
  [
    { DATABASE_NAME: 'my.shop' },
    'DATABASE_NAME is "my.shop"; allowed: a name of at most 63 bytes without spaces and /\\."$*<>:|?, except admin, config and local',
  ],
  [
    { MONGODB_URI: 'mongodb://localhost/admin' },
    'DATABASE_NAME of MONGODB_URI is "admin"; allowed: a name of at most 63 bytes without spaces and /\\."$*<>:|?, except admin, config and local',
  ],
  [{ REST_DEFAULT_LIMIT: '0' }, 'REST_DEFAULT_LIMIT is "0"; allowed: a whole number from 1 to 10000'],
  [{ REST_MAX_LIMIT: '-1' }, 'REST_MAX_LIMIT is "-1"; allowed: a whole number from 1 to 10000'],
  [{ REST_WITH_COUNT: 'toString' }, 'REST_WITH_COUNT is "toString"; allowed: true or false'],
  [
    { SMTP_URL: 'mail.test:25' },
    'SMTP_URL has a value that is not allowed (a secret, so not shown); allowed: smtp://<user>:<password>@<host>:<port>, or smtps:// for TLS from the start',
  ],
  [{ BODY_LIMIT: '1 apple' }, 'BODY_LIMIT is "1 apple"; allowed: a size such as 2000, 500kb or 1mb'],
  [{ BODY_LIMIT: '0' }, 'BODY_LIMIT is "0"; allowed: a size such as 2000, 500kb or 1mb'],
  [{ QUERY_TIMEOUT: '0' }, 'QUERY_TIMEOUT is "0"; allowed: a whole number from 1 to 3600000'],
  [
    { CORS_ORIGINS: 'https://a.test/path' },
    'CORS_ORIGINS is "https://a.test/path"; allowed: * or comma-separated origins such as https://www.example.org,http://localhost:3000',
  ],
  ...['public;x', 'forever', 'public, max-age', 'no-store=5'].map(
    (value) =>
      [
        { CACHE_CONTROL: value },
        `CACHE_CONTROL is "${value}"; allowed: a value of the header Cache-Control, such as public, max-age=60`,
      ] as const,
  ),
  [{ GRACE_PERIOD: '10s' }, 'GRACE_PERIOD is "10s"; allowed: a whole number from 1 to 3600000'],
])('%j stops the start with its own line', async (environment, line) => {
  expect(await complaints(environment)).toBe(line);
});

test('all invalid values are reported together, one line each', async () => {
  const lines = (await complaints({ PORT: 'x', LOG_LEVEL: 'y', REST_WITH_COUNT: 'z' })).split('\n');
  expect(lines.map((line) => line.split(' ')[0])).toEqual(['PORT', 'REST_WITH_COUNT', 'LOG_LEVEL']);
});

test('an invalid secret is reported without its value', async () => {
  const complaint = await complaints({ MONGODB_URI: 'postgres://user:hunter2@localhost/db' });
  expect(complaint).toMatch(/^MONGODB_URI has a value that is not allowed .*; allowed: mongodb:\/\//);
  expect(complaint).not.toContain('hunter2');
});

test('a database that is not allowed is not missing as well', async () => {
  const lines = await complaints({ ...inProduction, MONGODB_URI: 'postgres://x' });
  expect(lines.split('\n')).toHaveLength(1);
});

test('an empty variable counts as not set, an unknown one is ignored', async () => {
  const config = await load({ PORT: ' ', MONGODB_URI: '', JWT_SECRET: '', SOMETHING_ELSE: 'x' });
  expect([config.server.port, config.database.uri]).toEqual([1337, undefined]);
});

test('in production the service listens on all addresses, unless HOST is set', async () => {
  expect((await load(inProduction)).server.host).toBe('0.0.0.0');
  expect((await load({ ...inProduction, HOST: '127.0.0.1' })).server.host).toBe('127.0.0.1');
});

test('a lower maximum of entries lowers the default as well', async () => {
  expect((await load({ REST_MAX_LIMIT: '10' })).rest).toEqual({
    prefix: '/api',
    isOffered: true,
    codePrefix: '/api',
    defaultLimit: 10,
    maxLimit: 10,
    withCount: true,
    entryMeta: true,
  });
});

test('DATABASE_NAME takes precedence over the path of MONGODB_URI', async () => {
  const MONGODB_URI = 'mongodb+srv://cluster.test/shop';
  expect((await load({ MONGODB_URI })).database.name).toBe('shop');
  expect((await load({ MONGODB_URI, DATABASE_NAME: 'other' })).database.name).toBe('other');
  expect((await load({ MONGODB_URI: 'mongodb://cluster.test' })).database.name).toBe('content_service');
});

test('the configuration is deeply frozen', async () => {
  const config = await load({});
  expect(() => Object.assign(config.rest, { maxLimit: 1 })).toThrow(TypeError);
  expect(() => Object.assign(config.plugins, { upload: {} })).toThrow(TypeError);
});

describe('the database in production', () => {
  const missing = 'MONGODB_URI is missing; in production set it, or DATABASE=embedded to run on the embedded engine';
  const production = { ...inProduction, MONGODB_URI: '' };

  test('requires MONGODB_URI or DATABASE', async () => {
    expect(await complaints(production)).toBe(missing);
    expect(await complaints({ ...production, DATABASE: 'auto' })).toBe(missing);
    for (const DATABASE of ['embedded', 'mongod', 'download']) {
      expect(await complaints({ ...production, DATABASE })).toBe('nothing');
    }
    expect(await complaints({ ...production, NODE_ENV: 'test' })).toBe('nothing');
  });

  test('reports the misspelt variable of its URI without the value', async () => {
    const complaint = await complaints({ ...production, MONGO_URI: 'mongodb+srv://user:hunter2@db.test/content' });
    expect(complaint).toBe(`${missing}; did you mean MONGODB_URI where you set MONGO_URI?`);
  });
});

describe('secrets', () => {
  test('are required in production, with a minimum length', async () => {
    const attempt = load({ ...inProduction, JWT_SECRET: 'fifteen-letters', API_TOKEN_SALT: '' });
    await expect(attempt).rejects.toThrow(
      new StartError(
        'JWT_SECRET is too short; allowed: at least 16 characters in production, no repetition, for example from: openssl rand -base64 32\n' +
          'API_TOKEN_SALT is missing; allowed: at least 16 characters in production, no repetition, for example from: openssl rand -base64 32',
      ),
    );
    await expect(attempt).rejects.not.toThrow('fifteen');
    expect(fs.readdirSync(project)).toEqual([]);
  });

  const remedy = 'for example from: openssl rand -base64 32';
  const allowed = `allowed: at least 16 characters in production, no repetition, ${remedy}`;
  test.each([
    [
      'one letter',
      { JWT_SECRET: 'aaaaaaaaaaaaaaaaaaaa' },
      `JWT_SECRET is a repetition, which can be guessed; ${allowed}`,
    ],
    ['a word', { JWT_SECRET: 'changemechangeme' }, `JWT_SECRET is a repetition, which can be guessed; ${allowed}`],
    [
      'few letters',
      { JWT_SECRET: '12345432123454321' },
      `JWT_SECRET is a repetition, which can be guessed; ${allowed}`,
    ],
    [
      'both alike',
      { JWT_SECRET: strong.API_TOKEN_SALT },
      `JWT_SECRET and API_TOKEN_SALT are the same; allowed: a value for each, ${remedy}`,
    ],
    ['sixteen hexadecimal digits', { JWT_SECRET: '90a7bcc1d2e70a7b' }, 'nothing'],
  ])('that can be guessed are refused in production: %s', async (_, secrets, line) => {
    expect(await complaints({ ...inProduction, ...secrets })).toBe(line);
    expect(await complaints({ ...inProduction, NODE_ENV: 'development', ...secrets })).toBe('nothing');
  });

  test('are not written to a file in production', async () => {
    expect((await load(inProduction)).secrets).toEqual({
      jwt: strong.JWT_SECRET,
      apiTokenSalt: strong.API_TOKEN_SALT,
    });
    expect(fs.readdirSync(project)).toEqual([]);
  });

  test('are generated in development, persist, and are readable by the user only', async () => {
    const { secrets } = await load({});
    expect(secrets.jwt).toMatch(/^.{40,}$/);
    expect(secrets.jwt).not.toBe(secrets.apiTokenSalt);
    expect((await load({})).secrets).toEqual(secrets);
    expect((await load({ JWT_SECRET: 'mine' })).secrets).toEqual({ ...secrets, jwt: 'mine' });
    const file = path.join(project, '.data', 'secrets.json');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(path.dirname(file))).toEqual(['secrets.json']);
  });

  test('of a plugins file sign tokens unless a variable is set, and must be as strong', async () => {
    fs.mkdirSync(path.join(project, 'config'));
    const file = path.join(project, 'config', 'plugins.json');
    const write = (jwtSecret: string): void =>
      fs.writeFileSync(file, JSON.stringify({ 'users-permissions': { config: { jwtSecret } } }));
    write('a-secret-of-the-file');
    const { JWT_SECRET, ...others } = inProduction;
    expect((await load(others)).secrets.jwt).toBe('a-secret-of-the-file');
    expect((await load({ ...others, JWT_SECRET })).secrets.jwt).toBe(JWT_SECRET);
    write('short');
    await expect(load(others)).rejects.toThrow('JWT_SECRET is too short');
  });

  test('in a damaged file stop the start and are not shown', async () => {
    const file = path.join(project, '.data', 'secrets.json');
    fs.mkdirSync(path.dirname(file));
    fs.writeFileSync(file, '{"JWT_SECRET": "hunter2hunter2hunter2"');
    await expect(load({})).rejects.toThrow(
      new StartError(`${file} does not contain JWT_SECRET and API_TOKEN_SALT; delete it to generate new ones`),
    );
  });
});

test('CLUSTER=auto means one process per core', async () => {
  expect((await load({ CLUSTER: 'auto' })).server.workers).toBe(availableParallelism());
  await expect(load({ CLUSTER: 'all' })).rejects.toThrow('CLUSTER');
});

describe('the file .env of a Strapi v4 project elsewhere', () => {
  let strapi: string;
  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(strapi, name)), { recursive: true });
      fs.writeFileSync(path.join(strapi, name), text);
    }
  };
  beforeEach(() => {
    strapi = path.join(project, 'site');
    write({ 'src/api/.gitkeep': '' });
  });
  // It becomes a part of that of the process, which `env` reads.
  const before = { ...process.env };
  afterEach(() => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  });

  test('is read below the variables of the service, except for addresses and databases', async () => {
    write({ '.env': 'SHOP_VAT=0.2\nSHOP_NAME=theirs\nPORT=1400\nDATABASE_NAME=strapi\nJWT_SECRET=secret-of-the-site' });
    const config = await load({ CONTENT_TYPES: 'site', SHOP_NAME: 'ours' });
    expect(config.variables).toMatchObject({ SHOP_VAT: '0.2', SHOP_NAME: 'ours' });
    expect([config.server.port, config.database.name, config.secrets.jwt]).toEqual([
      1337,
      'content_service',
      'secret-of-the-site',
    ]);
  });

  test('is that of ENV_PATH, which must exist', async () => {
    write({ '.env': 'SHOP_VAT=0.1', '.env.staging': 'SHOP_VAT=0.2' });
    const config = await load({ CONTENT_TYPES: 'site', ENV_PATH: '.env.staging' });
    expect(config.variables['SHOP_VAT']).toBe('0.2');
    expect(await complaints({ CONTENT_TYPES: 'site', ENV_PATH: '.env.live' })).toContain('ENV_PATH names .env.live');
  });

  test('is in process.env when the settings of the project are read, as other files that they load are', async () => {
    write({
      '.env': 'SHOP_SIZE=5000',
      'extra.json': '{"SHOP_ROUNDS":"7"}',
      'config/plugins.js': `Object.assign(process.env, require('../extra.json'));
        module.exports = { shop: { config: { size: process.env.SHOP_SIZE, rounds: process.env.SHOP_ROUNDS } } };`,
    });
    const { plugins } = await load({ CONTENT_TYPES: 'site' });
    expect(plugins['shop']?.config).toEqual({ size: '5000', rounds: '7' });
  });

  const template = `module.exports = ({ env }) => {
    const client = env('DATABASE_CLIENT', 'sqlite');
    const connections = { sqlite: { connection: require('node:path').join(env('DATABASE_FILENAME', '.tmp/data.db')) } };
    return { connection: { client, ...connections[client], timeout: env.int('DATABASE_TIMEOUT', 60000) } };
  };`;
  const byMember = `module.exports = { connection: { client: process.env.SHOP_CLIENT || 'mysql' } };`;
  test.each([
    ['with a value in the file', template, 'DATABASE_CLIENT=postgres', { database: 'postgres' }],
    ['with a default', template, '', { database: 'sqlite', unsetVariable: 'DATABASE_CLIENT' }],
    ['with a default of process.env', byMember, '', { database: 'mysql', unsetVariable: 'SHOP_CLIENT' }],
    ['by name', "module.exports = { connection: { client: 'mysql2' } };", '', { database: 'mysql' }],
    [
      'not at all',
      'module.exports = { connection: { client: process.env.NONE } };',
      '',
      { database: 'sqlite', source: 'default' },
    ],
  ])('says whose rules values have: %s', async (_case, file, env, expected) => {
    write({ '.env': env, 'config/database.js': file });
    const { dialect } = await load({ CONTENT_TYPES: 'site' });
    expect(dialect).toEqual({ collation: undefined, unsetVariable: undefined, source: 'config/database', ...expected });
  });

  test.each([
    [
      'misspelt',
      template,
      'DATABASE_CLIENT=postgress',
      '4: connection.client is "postgress", ',
      '; did you mean "postgres"?',
    ],
    [
      'foreign',
      "module.exports = {\n  connection: {\n    client: 'oracle' } };",
      '',
      '3: connection.client is "oracle", ',
      '; it can be sqlite, better-sqlite3, sqlite-legacy, postgres, mysql, mysql2',
    ],
    ['no text', 'module.exports = { connection: { client: 7 } };', '', '1: connection.client is "7", ', /.*/],
  ])('a database that Strapi does not know stops the start: %s', async (_case, file, env, start, end) => {
    write({ '.env': env, 'config/database.js': file });
    const line = await complaints({ CONTENT_TYPES: 'site' });
    expect(line).toMatch(end);
    expect(line).toContain(`config/database.js:${start}which is no database of Strapi v4`);
    expect((await load({ CONTENT_TYPES: 'site', STRAPI_DATABASE: 'mysql' })).dialect.database).toBe('mysql');
  });

  test.each([
    "{\n  conection: { client: 'mysql' } }",
    "{\n  connection: { clent: 'mysql' } }",
    "{\n  client: 'mysql' }",
  ])('so does one that is named elsewhere than Strapi reads it: %j', async (settings) => {
    write({ 'config/database.js': `module.exports = ${settings};` });
    const line = await complaints({ CONTENT_TYPES: 'site' });
    expect(line).toMatch(/^config\/database(?:\.js:2)?: connection\.client is missing; allowed: sqlite, /);
  });

  test('settings for production alone leave the database to those for all', async () => {
    write({
      'config/database.js': "module.exports = { connection: { client: 'mysql' } };",
      'config/env/production/database.js': 'module.exports = { connection: { debug: false } };',
    });
    const secrets = {
      JWT_SECRET: 'sVJzcgbOkpRnla6N23D3TF',
      API_TOKEN_SALT: 'yTgaCL7tnyWeOHRegj6101S',
      MONGODB_URI: 'mongodb://db',
    };
    const { dialect } = await load({ CONTENT_TYPES: 'site', NODE_ENV: 'production', ...secrets });
    expect(dialect.database).toBe('mysql');
  });
});
