import type { Request, RequestHandler, Response } from 'express';
import type { Mount, Route } from '../plugins/contract/plugin.js';
import { AppError } from '../errors/app-error.js';

/** Names the route that answered a request by its template: there are only so many, whatever clients ask for. */
export function templateOfRoute(
  types: ReadonlyMap<string, unknown>,
  mounts: readonly Mount[],
): (request: Request) => string {
  return ({ route, originalUrl, params }) => {
    const template = (route as { readonly path?: string } | undefined)?.path;
    if (template === undefined) return mounts.find(({ path }) => originalUrl.startsWith(path))?.path ?? 'unknown';
    const name = String(params['name'] ?? '').toLowerCase();
    return template.startsWith('/api/:name') && types.has(name) ? template.replace(':name', name) : template;
  };
}

/** The segment of a path that begins at this index, as paths are compared: without case. */
function segmentFrom(path: string, start: number): string {
  const end = path.indexOf('/', start);
  return path.slice(start, end < 0 ? undefined : end).toLowerCase();
}

/** What has a meaning of its own in the path of a route. */
const special = /[:*{}()[\]?+!\\]/;

/** Does this segment of a route's path match several segments? */
export const isPattern = (segment: string): boolean => special.test(segment);

/**
 * Tells by its first segment whether a request below `/api` can be for one of these routes: comparing its path with each of
 * them would take longer than all else that express does for it.
 * @param paths of routes, below `/api`
 */
export function matchFirstSegments(paths: readonly string[]): (requestPath: string) => boolean {
  const segments = new Set(paths.map((path) => segmentFrom(path, '/'.length)));
  if ([...segments].some(isPattern)) return () => true;
  return (requestPath) => segments.has(segmentFrom(requestPath, '/api/'.length));
}

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
