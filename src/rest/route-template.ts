import type { Request } from 'express';
import type { Mount } from '../plugins/contract/plugin.js';

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
