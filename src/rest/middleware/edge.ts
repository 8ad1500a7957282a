import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import compression from 'compression';
import cors from 'cors';
import type { Express, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import type { HttpConfig } from '../../config/config.js';
import { isLocalRequest } from '../../documents/request-context.js';
import { AppError } from '../../errors/app-error.js';
import type { QueryCosts } from '../../mongo/observe/query-cost.js';
import type { Caching } from '../../plugins/contract/plugin.js';
import type { Admission } from './admission.js';
import { health, readiness, type Readiness, metricsRoute, type Exposed } from './operator-routes.js';
import { isPublicRead, REQUEST_ID, requestId } from '../requests.js';
import { envelopeOf, RETRY_AFTER } from '../response/error-response.js';

/** Called for each response that was sent or aborted, with its duration in milliseconds. */
type Watch = (request: Request, response: Response, time: number) => void;

export interface EdgeOptions extends Readiness {
  readonly http: HttpConfig;
  readonly admission: Admission;
  /** Counts a request of this address. @throws AppError tooManyRequests */
  readonly countRequest: ((address: string) => Promise<void>) | undefined;
  readonly exposed: Exposed;
  readonly watch: Watch | undefined;
}

/** Responses of at least as many bytes are compressed; smaller ones fit into one or two packets. */
const WORTH_COMPRESSING = 2048;

/** The middleware before every route: headers, limits, and the routes of operators. */
export function addEdge(app: Express, options: EdgeOptions): void {
  const { http, admission, countRequest, exposed } = options;
  app.use(prepare(options));
  app.use(crossOrigin(http.origins));
  app.get('/_health', health);
  app.get('/_ready', readiness(options));
  app.get('/metrics', metricsRoute(exposed, http.metricsToken));
  app.use((_request, _response, next) => {
    if (admission.full) throw new AppError('overloaded');
    next();
  });
  if (countRequest !== undefined) {
    app.use(async (request, _response, next) => {
      await countRequest(request.ip ?? '');
      next();
    });
  }
  if (http.compression) app.use(compression({ threshold: WORTH_COMPRESSING }));
}

/** The headers of every response, by name. */
const alwaysSent = (origins: HttpConfig['origins']): readonly (readonly [string, string])[] => [
  ...securityHeaders,
  ...(origins === 'any' ? forAnyOrigin : []),
];

/** One layer for everything that each request needs, because each layer of express costs time. */
function prepare({ http, watch }: EdgeOptions): RequestHandler {
  const { urlLimit, origins } = http;
  const always = alwaysSent(origins);
  return (request, response, next) => {
    if (watch !== undefined) {
      const start = performance.now();
      response.once('close', () => watch(request, response, performance.now() - start));
    }
    for (const [name, value] of always) response.setHeader(name, value);
    response.setHeader(REQUEST_ID, requestId(request));
    if (request.originalUrl.length > urlLimit) throw new AppError('queryTooLong');
    next();
  };
}

/** The response headers that scripts of pages can read. */
const exposedHeaders = [REQUEST_ID, 'Retry-After', 'ETag'];

/** The headers for pages of any origin; only a response to a preflight request has more. */
const forAnyOrigin = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', exposedHeaders.join(',')],
] as const;

/** Pages of any origin can read; only those of listed origins can send cookies. */
function crossOrigin(origins: HttpConfig['origins']): RequestHandler {
  const common = {
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
    exposedHeaders,
    maxAge: 600,
  };
  const handler =
    origins === 'any' ? cors({ ...common, origin: '*' }) : cors({ ...common, origin: [...origins], credentials: true });
  return (request, response, next) => {
    // Without the name of a method it is not a preflight request: the route responds with its allowed methods.
    const isQuestion = request.headers['access-control-request-method'] !== undefined;
    const isKnown = request.method === 'OPTIONS' ? !isQuestion : origins === 'any';
    if (isKnown) next();
    else handler(request, response, next);
  };
}

/**
 * Milliseconds by which a refusal is delayed: clients that retry immediately, as many do despite `Retry-After`, must not take
 * time from other requests.
 */
const REFUSAL_DELAY_MS = 500;

/** The routes of operators, and preflight requests. */
const isExempt = ({ url = '', method }: IncomingMessage): boolean =>
  method === 'OPTIONS' || url === '/_health' || url === '/_ready' || url === '/metrics';

/** Called for each response, with its route template. */
export type WatchRoute = (
  request: Pick<Request, 'method' | 'originalUrl' | 'headers'> & { readonly ip?: string | undefined },
  response: ServerResponse,
  route: string,
  time: number,
) => void;

type Refusing = Pick<EdgeOptions, 'admission' | 'http'> & { readonly watch: WatchRoute | undefined };

/**
 * Refuses requests if the queue is full, before any other work: far cheaper than express, so that refusals
 * do not take time from other requests. Where only some origins may read, express does it.
 */
export function shedLoad(listener: RequestListener, options: Refusing): RequestListener {
  const { admission, http, watch } = options;
  if (http.origins !== 'any') return listener;
  const body = JSON.stringify(envelopeOf(new AppError('overloaded')));
  const headerLines = [
    ...alwaysSent(http.origins),
    ['Retry-After', RETRY_AFTER],
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Content-Length', String(Buffer.byteLength(body))],
  ].flat();
  const refuse = (response: ServerResponse, id: string): void => {
    if (!response.destroyed) response.writeHead(503, [...headerLines, REQUEST_ID, id]).end(body);
  };
  return (request, response) => {
    if (!admission.full || isExempt(request)) {
      listener(request, response);
      return;
    }
    if (watch !== undefined) {
      const start = performance.now();
      const { method = '', url: originalUrl = '', headers } = request;
      // Behind a proxy this would be the address of the proxy.
      const ip = http.trustedProxies === 0 ? request.socket.remoteAddress : undefined;
      const summary = { method, originalUrl, headers, ip };
      response.once('close', () => watch(summary, response, 'refused', performance.now() - start));
    }
    setTimeout(refuse, REFUSAL_DELAY_MS, response, requestId(request));
  };
}

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
