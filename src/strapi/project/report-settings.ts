import lodash from 'lodash';
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
