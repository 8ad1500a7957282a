import lodash from 'lodash';
import type { Config } from '../../config/config.js';
import type { Named } from '../strapi.js';

/** Settings of a project that the service does not support. */
export interface IgnoredSetting {
  readonly file: string;
  readonly what: string;
  readonly consequence: string;
}

/** The options that count, of Strapi's own middlewares; undefined: all of them. */
const options: Readonly<Record<string, readonly string[] | undefined>> = {
  'strapi::body': ['jsonLimit'],
  'strapi::cors': ['origin', 'credentials'],
  'strapi::ip': ['whitelist', 'blacklist'],
  'strapi::poweredBy': ['poweredBy'],
  'strapi::responses': ['handlers'],
  'strapi::session': undefined,
};

/** A line for each option of Strapi's own middlewares that has no effect. */
export function describeIgnoredOptions(middlewares: unknown): readonly string[] {
  return configured(middlewares).flatMap(({ name, config }) => {
    if (!name.startsWith('strapi::') || (name in options && options[name] === undefined)) return [];
    return Object.keys(config)
      .filter((key) => !(options[name] ?? []).includes(key))
      .map((key) => `config/middlewares: ${key} of ${name} has no effect`);
  });
}

/** The settings of `config/server` and `config/api` that count. */
const applied: Readonly<Record<string, readonly string[]>> = {
  server: ['app.keys', 'cron.enabled', 'cron.tasks', 'dirs.public', 'webhooks.defaultHeaders'],
  api: ['rest.prefix', 'rest.defaultLimit', 'rest.maxLimit', 'rest.withCount', 'responses.privateAttributes'],
};

/** Settings of `config/server` for which the service has variables, with the values that need no change. */
const replaced = ({
  server,
  http,
}: Pick<Config, 'server' | 'http'>): Readonly<Record<string, readonly [string, readonly unknown[]]>> => ({
  host: ['HOST', [server.host]],
  port: ['PORT', [server.port, String(server.port)]],
  url: ['PUBLIC_URL', ['', server.publicUrl]],
  proxy: ['TRUSTED_PROXIES', [false, http.trustedProxies > 0]],
});

/** A line for each setting of `config/server` and `config/api` that has no effect. */
export function describeIgnoredKeys(settings: Named, config: Pick<Config, 'server' | 'http'>): readonly string[] {
  const variables = replaced(config);
  return Object.entries(applied).flatMap(([name, paths]) =>
    ignoredPaths(settings[name], paths).flatMap((key) => {
      const [variable, values] = (name === 'server' ? variables[key] : undefined) ?? [];
      if (values?.includes(lodash.get(settings[name], key))) return [];
      return [`config/${name}: ${key} has no effect${variable === undefined ? '' : `; set ${variable}`}`];
    }),
  );
}

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
export function findIgnoredSettings({ middlewares, api }: Named): readonly IgnoredSetting[] {
  const prefix: unknown = lodash.get(api, 'rest.prefix', '/api');
  const has = (middleware: string, key: string): boolean =>
    configured(middlewares).some(({ name, config }) => name === middleware && !lodash.isEmpty(config[key]));
  const hasList = has('strapi::ip', 'whitelist') || has('strapi::ip', 'blacklist');
  const ignored: readonly (readonly [boolean, IgnoredSetting])[] = [
    [
      prefix !== '/api',
      {
        file: 'config/api',
        what: `rest.prefix ${JSON.stringify(prefix)}`,
        consequence: 'routes of the service, such as those of users and uploads, stay below /api',
      },
    ],
    [
      has('strapi::responses', 'handlers'),
      { file: 'config/middlewares', what: 'handlers of strapi::responses', consequence: 'they do not run' },
    ],
    [hasList, { file: 'config/middlewares', what: 'lists of strapi::ip', consequence: 'the start stops' }],
  ];
  return ignored.flatMap(([is, setting]) => (is ? [setting] : []));
}

/** The middlewares of the list that have options. */
const configured = (middlewares: unknown): readonly { readonly name: string; readonly config: Named }[] =>
  (Array.isArray(middlewares) ? (middlewares as unknown[]) : []).flatMap((entry) => {
    const { name, config } = (entry ?? {}) as Named;
    return typeof name === 'string' && lodash.isPlainObject(config) ? [{ name, config: config as Named }] : [];
  });
