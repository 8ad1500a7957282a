import compression from 'compression';
import cors from 'cors';
import type { Express, Request, RequestHandler, Response } from 'express';
import type { HttpConfig } from '../../config/config.js';
import { AppError } from '../../errors/app-error.js';
import type { Admission } from './admission.js';
import { health, readiness, type Readiness } from './health.js';
import { metricsRoute, type Exposed } from './metrics-route.js';
import { REQUEST_ID, requestId } from './request-id.js';
import { securityHeaders } from './security-headers.js';

/** Told of each answer when it has been sent, or broken off, and how many milliseconds it took. */
export type Watch = (request: Request, response: Response, time: number) => void;

export interface EdgeOptions extends Readiness {
  readonly http: HttpConfig;
  readonly admission: Admission;
  /** Counts a request of this address. @throws AppError tooManyRequests */
  readonly countRequest: ((address: string) => Promise<void>) | undefined;
  readonly exposed: Exposed;
  readonly watch: Watch | undefined;
}

/** Bytes from which an answer is compressed: a smaller one fits into a packet or two anyway. */
const WORTH_COMPRESSING = 2048;

/** What runs before every route: headers, limits, and the routes of operators. */
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
export const alwaysSent = (origins: HttpConfig['origins']): readonly (readonly [string, string])[] => [
  ...securityHeaders,
  ...(origins === 'any' ? forAnyOrigin : []),
];

/** One layer for what every request needs: each layer of express costs time. */
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

/** What scripts of pages may read of an answer's head. */
const exposedHeaders = [REQUEST_ID, 'Retry-After'];

/** The same for every answer: only the question that a browser asks before it writes needs more. */
const forAnyOrigin = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', exposedHeaders.join(',')],
] as const;

/** Pages of any origin may read; only those of listed ones may send cookies. */
function crossOrigin(origins: HttpConfig['origins']): RequestHandler {
  const common = {
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
    exposedHeaders,
    maxAge: 600,
  };
  const handler =
    origins === 'any' ? cors({ ...common, origin: '*' }) : cors({ ...common, origin: [...origins], credentials: true });
  return (request, response, next) => {
    // Without the name of a method it is not a preflight request: the route responds with what it allows.
    const isQuestion = request.headers['access-control-request-method'] !== undefined;
    const isKnown = request.method === 'OPTIONS' ? !isQuestion : origins === 'any';
    if (isKnown) next();
    else handler(request, response, next);
  };
}
