import type { Request, Response } from 'express';
import type { Caching } from '../../plugins/contract/plugin.js';

/**
 * Says in the header of a response how caches may keep it. `CACHE_CONTROL` counts only for routes that say so: what a
 * route forgets is not cached.
 * @param cacheControl what the operator says of answers that are the same for everybody
 */
export function setCaching(
  caching: Caching | undefined,
  request: Request,
  response: Response,
  cacheControl: string | undefined,
): void {
  if (caching === 'never') response.setHeader('Cache-Control', 'no-store');
  if (caching !== 'public' || cacheControl === undefined) return;
  response.vary('Authorization, Cookie');
  if (isPublicRead(request)) response.setHeader('Cache-Control', cacheControl);
}

/** Who shows credentials may get an answer that others must not see. */
const isPublicRead = ({ method, headers }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  headers.authorization === undefined &&
  headers.cookie === undefined &&
  headers['x-explain'] === undefined;
