import type Koa from 'koa';
import type { Middleware } from 'koa';
import createSession from 'koa-session';
import { reasonOf } from '../../errors/reason-of.js';
import { StartError } from '../../errors/start-error.js';
import type { Anything, Named, Strapi, StrapiContext } from '../strapi.js';
import { readBody, type BodyOptions } from './body.js';
import { answerErrors } from './errors.js';

type Make = (config: Anything) => Middleware;

/** As in Strapi v4, when a project has no `config/middlewares`. */
export const defaultMiddlewares: readonly string[] = [
  'strapi::logger',
  'strapi::errors',
  'strapi::security',
  'strapi::cors',
  'strapi::poweredBy',
  'strapi::session',
  'strapi::query',
  'strapi::body',
  'strapi::favicon',
  'strapi::public',
];

/** The settings of `strapi::session`, as in Strapi v4. */
const session = {
  key: 'koa.sess',
  maxAge: 86_400_000,
  autoCommit: true,
  overwrite: true,
  httpOnly: true,
  signed: true,
  rolling: false,
  renew: false,
};

const passOn: Make = () => (_context, next) => next();

/** `strapi::ip` allows all addresses. @throws StartError for lists: to ignore them would allow too much */
const refuseIpLists: Make = (config) => {
  const { whitelist = [], blacklist = [] } = (config ?? {}) as Readonly<Record<string, readonly unknown[]>>;
  if (whitelist.length + blacklist.length === 0) return passOn(config);
  throw new StartError(
    'the lists of strapi::ip are not supported; check addresses in a proxy or in a middleware of the project',
  );
};

const bytes: Readonly<Record<string, number>> = { '': 1, b: 1, kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30 };

/** The bytes of `256kb`, or of a number; undefined if it is not a size. */
export function sizeOf(size: unknown): number | undefined {
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmg]?b)?$/i.exec(String(size ?? '')) ?? [];
  return digits === '' ? undefined : Math.floor(Number(digits) * (bytes[unit.toLowerCase()] ?? 1));
}

/**
 * Strapi v4's own middlewares, by name. The middleware of the service does the work of those that only pass a request
 * on: logs, security headers, origins, compression, files.
 */
export function builtInMiddlewares(
  context: StrapiContext,
  body: Omit<BodyOptions, 'includeUnparsed'>,
  app: Koa,
  /** What decides which pages of other origins can read. */
  cors: Make,
): Readonly<Record<string, Make>> {
  return {
    errors: () => answerErrors(context.log),
    body: (config) => {
      const limit = sizeOf(config?.jsonLimit) ?? body.limit;
      return readBody({ ...body, limit, includeUnparsed: config?.includeUnparsed === true });
    },
    poweredBy: (config) => async (koa, next) => {
      await next();
      koa.set('X-Powered-By', String(config?.poweredBy ?? 'Strapi <strapi.io>'));
    },
    responseTime: () => async (koa, next) => {
      const start = performance.now();
      await next();
      koa.set('X-Response-Time', `${Math.ceil(performance.now() - start)}ms`);
    },
    logger: passOn,
    security: passOn,
    cors,
    session: (config) => {
      const secure = context.config.get('environment') === 'production';
      return createSession({ ...session, secure, ...(config as object) }, app);
    },
    query: passOn,
    favicon: passOn,
    public: passOn,
    compression: passOn,
    ip: refuseIpLists,
    responses: passOn,
  };
}

/** The names of Strapi's own middlewares. */
export const builtInNames: Readonly<Record<string, Make>> = Object.fromEntries(
  [...defaultMiddlewares, 'strapi::compression', 'strapi::ip', 'strapi::responses', 'strapi::responseTime'].map(
    (name) => [name.replace('strapi::', ''), passOn],
  ),
);

type MakeMiddleware = (config: unknown, parts: { readonly strapi: Strapi }) => Middleware | undefined | void;

export interface NamedMiddleware {
  readonly name: string | undefined;
  readonly run: Middleware;
}

/**
 * The middlewares that a route or `config/middlewares` lists: functions, names, and names or files with a
 * configuration.
 * @param load a file that `resolve` names
 * @throws Error for an unknown name, and for a value that is not a middleware
 */
export function resolveMiddlewares(
  strapi: Strapi,
  list: unknown,
  load: (file: string) => unknown,
): readonly NamedMiddleware[] {
  if (!Array.isArray(list)) throw new Error('Route middlewares config must be an array');
  return list.map((item: unknown) => {
    if (typeof item === 'function') return { name: undefined, run: item as Middleware };
    const { name, resolve, config = {} } = (typeof item === 'string' ? { name: item } : (item ?? {})) as Named;
    const make = (name === undefined ? resolve && load(resolve) : strapi.middleware(name)) as
      MakeMiddleware | undefined;
    if (name === undefined && resolve === undefined) {
      throw new Error('Invalid middleware configuration. Missing name or resolve properties.');
    }
    const label = String(name ?? resolve);
    if (typeof make !== 'function') throw new Error(`Middleware ${label} not found.`);
    return { name: label, run: instantiate(make, label, config, strapi) };
  });
}

function instantiate(make: MakeMiddleware, name: string, config: unknown, strapi: Strapi): Middleware {
  try {
    return make(config, { strapi }) ?? passOn(config);
  } catch (error) {
    throw new Error(`Middleware "${name}": ${reasonOf(error)}`, {
      cause: error,
    });
  }
}
