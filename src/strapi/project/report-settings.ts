import lodash from 'lodash';
import type { Config } from '../../config/config.js';
import type { SettingPath } from '../../config/project/locate-setting.js';
import { queryOptions } from '../../calls/query-string.js';
import { securityOptions } from '../../rest/middleware/security-headers.js';
import type { Named, StrapiConfig } from '../strapi.js';

/** A setting of a project that has no effect. */
export interface SettingNote {
  readonly setting: SettingPath;
  readonly note: string;
}

/** A setting of a project that the service does not support. */
export interface IgnoredSetting {
  readonly setting: SettingPath;
  readonly what: string;
  readonly consequence: string;
  /** The package that is missing, with its version, if installing it helps. */
  readonly install?: string;
}

/** The options that count, of Strapi's own middlewares; undefined: all of them. */
const options: Readonly<Record<string, readonly string[] | undefined>> = {
  'strapi::body': ['jsonLimit', 'includeUnparsed'],
  'strapi::cors': ['origin', 'credentials', 'expose', 'methods', 'headers', 'maxAge', 'keepHeadersOnError'],
  'strapi::ip': ['whitelist', 'blacklist'],
  'strapi::poweredBy': ['poweredBy'],
  'strapi::query': queryOptions,
  'strapi::responses': ['handlers'],
  'strapi::security': securityOptions,
  'strapi::session': undefined,
};

/** The options of Strapi's own middlewares that have no effect. */
export function describeIgnoredOptions(middlewares: unknown): readonly SettingNote[] {
  return configured(middlewares).flatMap(({ name, config }) => {
    if (!name.startsWith('strapi::') || (name in options && options[name] === undefined)) return [];
    return Object.keys(config)
      .filter((key) => !(options[name] ?? []).includes(key))
      .map((key) => ({ setting: optionOf(name, key), note: `${key} of ${name} has no effect` }));
  });
}

const optionOf = (middleware: string, key: string): SettingPath => ({
  file: 'config/middlewares',
  keys: ['config', key],
  within: middleware,
});

/** The settings of `config/server` and `config/api` that count. */
const applied: Readonly<Record<string, readonly string[]>> = {
  server: ['app.keys', 'cron.enabled', 'cron.tasks', 'dirs.public', 'proxy', 'webhooks.defaultHeaders'],
  api: ['rest.prefix', 'rest.defaultLimit', 'rest.maxLimit', 'rest.withCount', 'responses.privateAttributes'],
};

/** Settings of `config/server` for which the service has variables, with the values that need no change. */
const replaced = ({
  server,
}: Pick<Config, 'server'>): Readonly<Record<string, readonly [string, readonly unknown[]]>> => ({
  host: ['HOST', [server.host]],
  port: ['PORT', [server.port, String(server.port)]],
  url: ['PUBLIC_URL', ['', server.publicUrl]],
});

/** The settings of `config/server` and `config/api` that have no effect. */
export function describeIgnoredKeys(settings: Named, config: Pick<Config, 'server'>): readonly SettingNote[] {
  const variables = replaced(config);
  return Object.entries(applied).flatMap(([name, paths]) =>
    ignoredPaths(settings[name], paths).flatMap((key) => {
      const [variable, values] = (name === 'server' ? variables[key] : undefined) ?? [];
      if (values?.includes(lodash.get(settings[name], key))) return [];
      // Code of the project can read it.
      const note = `${key} has no effect on the service${variable === undefined ? '' : `; set ${variable}`}`;
      return [{ setting: { file: `config/${name}`, keys: key.split('.') }, note }];
    }),
  );
}

/** What a project leaves open that the service by itself limits. */
export const describeUnlimited = (settings: StrapiConfig): readonly SettingNote[] =>
  Number(settings.get('api.rest.maxLimit')) > 0
    ? []
    : [
        {
          setting: { file: 'config/api', keys: ['rest', 'maxLimit'] },
          note: 'without rest.maxLimit a client can list all entries at once, as in Strapi v4; REST_MAX_LIMIT limits it, too',
        },
      ];

/** The paths in settings that are neither in a list nor lead to one of its paths. */
function ignoredPaths(settings: unknown, paths: readonly string[], before = ''): readonly string[] {
  if (!lodash.isPlainObject(settings)) return [];
  return Object.entries(settings as Named).flatMap(([key, value]) => {
    const path = before + key;
    if (value === undefined || paths.includes(path)) return [];
    return paths.some((prefix) => prefix.startsWith(`${path}.`)) ? ignoredPaths(value, paths, `${path}.`) : [path];
  });
}

/** Settings that change what clients get, and that are not supported. */
export function findIgnoredSettings({ middlewares }: Named): readonly IgnoredSetting[] {
  const ignored = (middleware: string, key: string, consequence: string): readonly IgnoredSetting[] =>
    configured(middlewares).some(({ name, config }) => name === middleware && !lodash.isEmpty(config[key]))
      ? [{ setting: optionOf(middleware, key), what: `${key} of ${middleware}`, consequence }]
      : [];
  return [
    ...ignored('strapi::responses', 'handlers', 'they do not run'),
    ...ignored('strapi::ip', 'whitelist', 'the start stops'),
    ...ignored('strapi::ip', 'blacklist', 'the start stops'),
  ];
}

/** The middlewares of the list that have options. */
export const configured = (middlewares: unknown): readonly { readonly name: string; readonly config: Named }[] =>
  (Array.isArray(middlewares) ? (middlewares as unknown[]) : []).flatMap((entry) => {
    const { name, config } = (entry ?? {}) as Named;
    return typeof name === 'string' && lodash.isPlainObject(config) ? [{ name, config: config as Named }] : [];
  });
