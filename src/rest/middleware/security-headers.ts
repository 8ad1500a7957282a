import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import lodash from 'lodash';
import type { SecurityHeader } from '../../config/security-settings.js';
import { reasonOf } from '../../errors/reason-of.js';

type Options = Readonly<Record<string, unknown>>;
type Send = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

/** The options of `strapi::security` with what sends their header, as helmet named them when Strapi v4 took it. */
const senders = {
  contentSecurityPolicy: helmet.contentSecurityPolicy,
  crossOriginEmbedderPolicy: helmet.crossOriginEmbedderPolicy,
  crossOriginOpenerPolicy: helmet.crossOriginOpenerPolicy,
  crossOriginResourcePolicy: helmet.crossOriginResourcePolicy,
  originAgentCluster: helmet.originAgentCluster,
  referrerPolicy: helmet.referrerPolicy,
  hsts: helmet.strictTransportSecurity,
  noSniff: helmet.xContentTypeOptions,
  dnsPrefetchControl: helmet.xDnsPrefetchControl,
  ieNoOpen: helmet.xDownloadOptions,
  frameguard: helmet.xFrameOptions,
  permittedCrossDomainPolicies: helmet.xPermittedCrossDomainPolicies,
  xssFilter: helmet.xXssProtection,
} as const satisfies Readonly<Record<string, (options: never) => Send>>;

/** The options of `strapi::security` that count. */
export const securityOptions: readonly string[] = Object.keys(senders);

/** What Strapi v4 gives helmet if a project gives it nothing. */
const defaults: Options = {
  contentSecurityPolicy: {
    useDefaults: true,
    directives: {
      'connect-src': ["'self'", 'https:'],
      'img-src': ["'self'", 'data:', 'blob:'],
      'media-src': ["'self'", 'data:', 'blob:'],
      upgradeInsecureRequests: null,
    },
  },
  crossOriginEmbedderPolicy: false,
  crossOriginOpenerPolicy: false,
  crossOriginResourcePolicy: false,
  originAgentCluster: false,
  xssFilter: false,
  hsts: { maxAge: 31_536_000, includeSubDomains: true },
};

/**
 * The security headers of every response: pages of other origins can read responses and show files, unless options of
 * `strapi::security` say otherwise. Lists are merged by their places, as Strapi v4 does.
 * @throws Error that names the option with a wrong value
 */
export function securityHeadersOf(options: Options): readonly SecurityHeader[] {
  const merged = lodash.defaultsDeep(lodash.cloneDeep(options), defaults) as Options;
  return Object.entries(senders).flatMap(([name, make]) => {
    const option = merged[name];
    if (option === false) return [];
    const given = lodash.isPlainObject(option) ? (option as Options) : {};
    try {
      const header = headerOf((make as (options: Options) => Send)(given));
      return [decidesByRequest(given) ? header : header()];
    } catch (error) {
      throw new Error(`${name} of strapi::security: ${reasonOf(error)}`, { cause: error });
    }
  });
}

/** A source of a directive can be a function. */
const decidesByRequest = ({ directives = {} }: Options): boolean =>
  Object.values(directives as object).some((sources) => lodash.castArray(sources).some(lodash.isFunction));

/** The header that a middleware of helmet sends. */
const headerOf =
  (send: Send) =>
  (request?: IncomingMessage, response?: ServerResponse): readonly [name: string, value: string] => {
    let header: readonly [string, string] = ['', ''];
    const setHeader = (name: string, value: string): void => {
      header = [name.toLowerCase(), value];
    };
    const collecting = Object.assign(Object.create(response ?? null) as object, { setHeader });
    send((request ?? {}) as IncomingMessage, collecting as ServerResponse, (error) => {
      if (error !== undefined) throw error;
    });
    return header;
  };

/** Those without a project. */
export const securityHeaders = securityHeadersOf({}).filter((header) => typeof header !== 'function');
