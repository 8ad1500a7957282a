import type { Config } from '../../config/config.js';
import type { Named, StrapiConfig } from '../strapi.js';
import { sizeOf } from '../http/global-middlewares.js';

/** The configuration of one of Strapi's own middlewares; undefined if it is named alone. */
function configOf(name: string, config: StrapiConfig): Named {
  const list: unknown = config.get('middlewares', []);
  const middleware = Array.isArray(list)
    ? (list as unknown[]).find((item) => (item as Named | null)?.['name'] === name)
    : undefined;
  return ((middleware as Named | undefined)?.['config'] ?? {}) as Named;
}

/** The origins whose pages can read; undefined if all can, or a function decides. */
function originsOf({ origin }: Named): readonly string[] | undefined {
  const names = typeof origin === 'string' ? origin.split(',') : origin;
  if (!Array.isArray(names)) return undefined;
  const origins = names.map((name) => String(name).trim());
  return origins.includes('*') ? undefined : origins;
}

/**
 * The settings of the service with origins and sizes of `config/middlewares`, and with one proxy if `config/server` has
 * `proxy: true`; environment variables take precedence.
 */
export function edgeSettings(
  { http, limits, variables }: Config,
  config: StrapiConfig,
): Pick<Config, 'http' | 'limits'> {
  const origins = variables['CORS_ORIGINS'] === undefined ? originsOf(configOf('strapi::cors', config)) : undefined;
  const size =
    variables['BODY_LIMIT'] === undefined ? sizeOf(configOf('strapi::body', config)['jsonLimit']) : undefined;
  const isProxied = variables['TRUSTED_PROXIES'] === undefined && config.get('server.proxy') === true;
  return {
    http: { ...http, ...(origins !== undefined && { origins }), ...(isProxied && { trustedProxies: 1 }) },
    limits: size === undefined ? limits : { ...limits, body: size },
  };
}
