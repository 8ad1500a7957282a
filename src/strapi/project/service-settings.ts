import lodash from 'lodash';
import type { Config } from '../../config/config.js';
import type { Named, StrapiConfig } from '../strapi.js';
import { sizeOf } from '../http/middlewares.js';
import { configured } from './report-settings.js';

/** The configuration of one of Strapi's own middlewares; empty if it is named alone. */
const configOf = (name: string, config: StrapiConfig): Named =>
  configured(config.get('middlewares')).find((middleware) => middleware.name === name)?.config ?? {};

/** The origins whose pages can read; undefined if all can, or a function decides. */
function originsOf({ origin }: Named): readonly string[] | undefined {
  const names = typeof origin === 'string' ? origin.split(',') : origin;
  if (!Array.isArray(names)) return undefined;
  const origins = names.map((name) => String(name).trim());
  return origins.includes('*') ? undefined : origins;
}

/**
 * The settings of the service with those of `config/api`, `config/server` and `config/middlewares`; environment variables take precedence.
 */
export const serviceSettings = (config: Config, settings: StrapiConfig): Config => ({
  ...config,
  rest: restSettings(config, settings),
  events: {
    ...config.events,
    defaultHeaders: lodash.mapValues((settings.get('server.webhooks.defaultHeaders') ?? {}) as Named, String),
  },
  ...edgeSettings(config, settings),
});

/** Of both forms where the project has Strapi v4's. */
const prefixes = (
  { prefix }: Config['rest'],
  codePrefix: string,
  { major }: Config['strapi'],
): Pick<Config['rest'], 'prefix' | 'codePrefix'> => ({ prefix: major === 4 ? codePrefix : prefix, codePrefix });

function restSettings({ rest, variables, strapi }: Config, config: StrapiConfig): Config['rest'] {
  const number = (variable: string, name: 'defaultLimit' | 'maxLimit'): number => {
    const own = Number(config.get(`api.rest.${name}`));
    return variables[variable] !== undefined || !(own > 0) ? rest[name] : own;
  };
  const maxLimit = number('REST_MAX_LIMIT', 'maxLimit');
  return {
    ...rest,
    ...prefixes(rest, String(config.get('api.rest.prefix', rest.codePrefix)).replace(/\/+$/, ''), strapi),
    maxLimit,
    defaultLimit: Math.min(number('REST_DEFAULT_LIMIT', 'defaultLimit'), maxLimit),
    withCount: Boolean(config.get('api.rest.withCount', rest.withCount)),
  };
}

/** Origins and sizes of `config/middlewares`, and one proxy if `config/server` has `proxy: true`. */
function edgeSettings({ http, limits, variables }: Config, config: StrapiConfig): Pick<Config, 'http' | 'limits'> {
  const origins = variables['CORS_ORIGINS'] === undefined ? originsOf(configOf('strapi::cors', config)) : undefined;
  const size =
    variables['BODY_LIMIT'] === undefined ? sizeOf(configOf('strapi::body', config)['jsonLimit']) : undefined;
  const isProxied = variables['TRUSTED_PROXIES'] === undefined && config.get('server.proxy') === true;
  return {
    http: { ...http, ...(origins !== undefined && { origins }), ...(isProxied && { trustedProxies: 1 }) },
    limits: size === undefined ? limits : { ...limits, body: size },
  };
}
