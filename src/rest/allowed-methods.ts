import type { RequestHandler, Response } from 'express';
import { AppError } from '../errors/app-error.js';
import type { Route } from '../plugins/contract/plugin.js';

/** As Strapi v4: what is not there is not found when it is read, and takes no other method either. */
export const refuseRequest =
  (methods: readonly string[]): RequestHandler =>
  ({ method }, response) => {
    if (method === 'OPTIONS') return tellMethods(methods, response);
    if (method === 'GET' || method === 'HEAD') throw new AppError('notFound');
    setAllow([...new Set(['GET', ...methods])], response);
    throw new AppError('methodNotAllowed');
  };

/** Responds to OPTIONS, as Strapi v4: with 200 and nothing, and GET of every path. */
export function tellMethods(methods: readonly string[], response: Response): void {
  setAllow(['GET', ...methods.filter((method) => method !== 'GET')], response);
  response.status(200).type('text/plain').send('');
}

/** The header `Allow`. */
export const setAllow = (methods: readonly string[], response: Response): unknown =>
  response.setHeader('Allow', [...(methods.includes('GET') ? ['HEAD'] : []), ...methods].join(', '));

/** The methods that routes take, by their path. */
export function methodsByPath(routes: readonly Route[]): ReadonlyMap<string, readonly string[]> {
  const methods = new Map<string, string[]>();
  for (const { path, method } of routes) methods.set(path, [...(methods.get(path) ?? []), method]);
  return methods;
}
