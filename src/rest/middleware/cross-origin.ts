import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from 'cors';
import type { CorsSettings } from '../../config/cors-settings.js';
import { REQUEST_ID } from '../request-id.js';

/** The response headers of the service that scripts of pages can read. */
const ownHeaders = [REQUEST_ID, 'Retry-After', 'ETag', 'X-Total-Count'];

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const MAX_AGE_SECONDS = 600;

const exposedBy = ({ exposed = [] }: CorsSettings): readonly string[] => [...ownHeaders, ...exposed];

/** The headers of every response if pages of any origin can read; only a response to a preflight request has more. */
export const openHeaders = (settings: CorsSettings): readonly (readonly [string, string])[] =>
  settings.origins === 'any'
    ? [
        ['Access-Control-Allow-Origin', '*'],
        ['Access-Control-Expose-Headers', exposedBy(settings).join(',')],
      ]
    : [];

/**
 * Whether a browser asks what it may send. Without the name of a method it does not: the route responds with its
 * allowed methods.
 */
export const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/**
 * Sets the headers that let a page of another origin read the response. Pages of any origin can read, but only those of
 * listed origins send cookies.
 * @returns whether they are the whole response, to a preflight request
 */
export type AllowOrigin = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/** The only place that decides this: for all requests, and for those that pass `strapi::cors` of a project. */
export function createAllowOrigin(settings: CorsSettings): AllowOrigin {
  const { origins, credentials = true, methods = METHODS, headers, maxAge = MAX_AGE_SECONDS } = settings;
  const common = {
    methods: [...methods],
    ...(headers !== undefined && { allowedHeaders: [...headers] }),
    exposedHeaders: [...exposedBy(settings)],
    maxAge,
    preflightContinue: true,
  };
  return async (request, response) => {
    if (request.method === 'OPTIONS' && !isPreflight(request)) return false;
    const allowed = typeof origins === 'function' ? await origins(request, response) : origins;
    const isListed = allowed !== 'any' && allowed.includes(request.headers.origin ?? '');
    const respond = cors({
      ...common,
      origin: allowed === 'any' ? '*' : [...allowed],
      credentials: credentials && isListed,
    });
    await new Promise<void>((resolve, reject) =>
      respond(request, response, (error?: Error) => (error === undefined ? resolve() : reject(error))),
    );
    return isPreflight(request) && (allowed === 'any' || isListed);
  };
}
