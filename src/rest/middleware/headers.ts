import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { randomUUID } from 'node:crypto';
import helmet from 'helmet';
import type { RequestHandler, Request, Response } from 'express';
import { isLocalRequest } from '../../documents/request-context.js';
import type { QueryCosts } from '../../mongo/observe/query-cost.js';
import type { Caching } from '../../plugins/contract/plugin.js';
import { isRead } from '../requests.js';

/** As in Strapi v4: pages of other origins can read responses and show files. */
const asStrapi = helmet({
  crossOriginEmbedderPolicy: false,
  crossOriginOpenerPolicy: false,
  crossOriginResourcePolicy: false,
  originAgentCluster: false,
  xXssProtection: false,
  strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: true },
  xFrameOptions: { action: 'sameorigin' },
  contentSecurityPolicy: {
    useDefaults: true,
    directives: {
      'connect-src': ["'self'", 'https:'],
      'img-src': ["'self'", 'data:', 'blob:'],
      'media-src': ["'self'", 'data:', 'blob:'],
      upgradeInsecureRequests: null,
    },
  },
});

/** The security headers of every response, by name. They are constant, so helmet runs once. */
export const securityHeaders: readonly (readonly [string, string])[] = Object.entries(headersFor());

function headersFor(): Record<string, string> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  asStrapi(request, response, (error) => {
    if (error !== undefined) throw new Error('helmet refuses its settings', { cause: error });
  });
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]));
}

export const REQUEST_ID = 'X-Request-Id';

/** Values that can be logged unchanged. */
const wellFormed = /^[\w.:+/=-]{1,128}$/;

/** The request id set by a proxy if it is valid, otherwise a new one. */
export function requestId({ headers }: IncomingMessage): string {
  const header = headers['x-request-id'];
  return typeof header === 'string' && wellFormed.test(header) ? header : randomUUID();
}

/** The id in the header of a response. */
export const idOf = (response: ServerResponse): string => String(response.getHeader(REQUEST_ID) ?? '');

/** Sends local clients the database cost of a response in the header `X-Query-Cost`: commands, documents, bytes. */
export const sendQueryCost =
  (costs: QueryCosts): RequestHandler =>
  (request, response, next) => {
    if (!isLocalRequest(request)) return next();
    return costs.measure((cost) => {
      const { writeHead } = response;
      const writeHeadWithCost = (...args: unknown[]): unknown => {
        response.setHeader('X-Query-Cost', [cost.commands, cost.documents, cost.bytes].join(';'));
        return Reflect.apply(writeHead, response, args);
      };
      Object.assign(response, { writeHead: writeHeadWithCost });
      next();
    });
  };

/**
 * Sets the caching headers of a response. `CACHE_CONTROL` applies only to routes that opt in: a route
 * without a setting is not cached.
 * @param cacheControl the operator's setting for public responses
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

/** The response to a request with credentials can be private. */
const isPublicRead = (request: Request): boolean =>
  isRead(request) &&
  request.headers.authorization === undefined &&
  request.headers.cookie === undefined &&
  request.headers['x-explain'] === undefined;
