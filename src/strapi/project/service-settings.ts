import lodash from 'lodash';
import type { Config } from '../../config/config.js';
import type { CorsSettings } from '../../config/cors-settings.js';
import { formatPlace, locateSetting } from '../../config/project/locate-setting.js';
import { reasonOf } from '../../errors/reason-of.js';
import { StartError } from '../../errors/start-error.js';
import type { SecurityHeader } from '../../config/security-settings.js';
import { createParseQueryString } from '../../calls/query-string.js';
import { securityHeadersOf } from '../../rest/middleware/security-headers.js';
import { pageLimits } from '../core/service.js';
import type { Named, StrapiConfig } from '../strapi.js';
import { parseCors } from '../http/cors.js';
import { defaultMiddlewares, sizeOf } from '../http/middlewares.js';
import type { CollectingServer } from '../http/server.js';

const CORS = 'strapi::cors';
const QUERY = 'strapi::query';
const SECURITY = 'strapi::security';

/**
 * The configuration of one of Strapi's own middlewares; empty if it is named alone, undefined if it is not in the list.
 */
function configOf(name: string, config: StrapiConfig): Named | undefined {
  const list: unknown = config.get('middlewares', defaultMiddlewares);
  const items = (Array.isArray(list) ? list : []) as readonly (string | Named | null)[];
  const item = items.find((one) => one === name || (typeof one === 'object' && one?.['name'] === name));
  return item === undefined ? undefined : (((item as Named)['config'] as Named | undefined) ?? {});
}

/**
 * The settings of the service with those of `config/api`, `config/server` and `config/middlewares`; environment
 * variables take precedence.
 */
export const serviceSettings = (
  config: Config,
  settings: StrapiConfig,
  server: Pick<CollectingServer, 'contextOf'>,
): Config => ({
  ...config,
  rest: restSettings(config, settings),
  events: {
    ...config.events,
    defaultHeaders: lodash.mapValues((settings.get('server.webhooks.defaultHeaders') ?? {}) as Named, String),
  },
  ...edgeSettings(config, settings, {
    cors: corsSettings(config, settings, server),
    security: securitySettings(config, settings),
    query: querySettings(config, settings),
  }),
});

/** Of both forms where the project has Strapi v4's. */
const prefixes = (
  { prefix }: Config['rest'],
  codePrefix: string,
  { major }: Config['strapi'],
): Pick<Config['rest'], 'prefix' | 'codePrefix'> => ({ prefix: major === 4 ? codePrefix : prefix, codePrefix });

/**
 * Without `strapi::cors` in the list, pages of other origins cannot read.
 * @throws StartError with the place of a wrong origin
 */
function corsSettings(
  config: Config,
  settings: StrapiConfig,
  server: Pick<CollectingServer, 'contextOf'>,
): CorsSettings {
  const { http, variables } = config;
  if (variables['CORS_ORIGINS'] !== undefined) return http.cors;
  const options = configOf(CORS, settings);
  if (options === undefined) return { origins: [] };
  return atOption(config, CORS, ['config', 'origin'], () => parseCors(options, server));
}

/**
 * The headers of a project's options; undefined: those of the service.
 * @throws StartError with the place of a wrong one
 */
function securitySettings(config: Config, settings: StrapiConfig): readonly SecurityHeader[] | undefined {
  const options = configOf(SECURITY, settings) ?? {};
  if (Object.keys(options).length === 0) return undefined;
  return atOption(config, SECURITY, ['config'], () => securityHeadersOf(options));
}

/** @throws StartError with the place of options that cannot be read */
function querySettings(config: Config, settings: StrapiConfig): Named | undefined {
  const options = configOf(QUERY, settings);
  atOption(config, QUERY, ['config'], () => createParseQueryString(options));
  return options;
}

/** @throws StartError with the place of the option, whatever the work throws */
function atOption<T>(
  { folders, environment }: Pick<Config, 'folders' | 'environment'>,
  within: string,
  keys: readonly string[],
  work: () => T,
): T {
  try {
    return work();
  } catch (error) {
    const setting = { file: 'config/middlewares', keys, within };
    const place = locateSetting([folders.contentTypes, folders.project], environment, setting);
    throw new StartError(`${formatPlace(place)}: ${reasonOf(error)}`, { cause: error });
  }
}

function restSettings({ rest, strapi }: Config, config: StrapiConfig): Config['rest'] {
  const { defaultLimit, maxLimit, withCount } = pageLimits(config);
  return {
    ...rest,
    ...prefixes(rest, String(config.get('api.rest.prefix', rest.codePrefix)).replace(/\/+$/, ''), strapi),
    maxLimit,
    defaultLimit: Math.min(defaultLimit, maxLimit),
    withCount,
  };
}

/** Origins and sizes of `config/middlewares`, and one proxy if `config/server` has `proxy: true`. */
function edgeSettings(
  { http, limits, variables }: Config,
  config: StrapiConfig,
  edge: Pick<Config['http'], 'cors' | 'security' | 'query'>,
): Pick<Config, 'http' | 'limits'> {
  const size =
    variables['BODY_LIMIT'] === undefined ? sizeOf(configOf('strapi::body', config)?.['jsonLimit']) : undefined;
  const isProxied = variables['TRUSTED_PROXIES'] === undefined && config.get('server.proxy') === true;
  return {
    http: { ...http, ...edge, ...(isProxied && { trustedProxies: 1 }) },
    limits: size === undefined ? limits : { ...limits, body: size },
  };
}
