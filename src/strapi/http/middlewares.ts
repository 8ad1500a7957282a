import type { Middleware } from 'koa';
import { reasonOf } from '../../errors/reason-of.js';
import type { Named, Strapi } from '../strapi.js';

type MakeMiddleware = (config: unknown, parts: { readonly strapi: Strapi }) => Middleware | undefined | void;

const passOn: Middleware = (_context, next) => next();

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
    return make(config, { strapi }) ?? passOn;
  } catch (error) {
    throw new Error(`Middleware "${name}": ${reasonOf(error)}`, {
      cause: error,
    });
  }
}
