import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import compression from 'compression';
import cors from 'cors';
import type { Express, Request, RequestHandler, Response } from 'express';
import type { HttpConfig } from '../../config/config.js';
import { AppError } from '../../errors/app-error.js';
import type { Admission } from './admission.js';
import { health, readiness, type Readiness, metricsRoute, type Exposed } from './operator-routes.js';
import { REQUEST_ID, requestId, securityHeaders } from './headers.js';
import { envelopeOf, RETRY_AFTER } from '../response/error-response.js';

/** Told of each answer when it has been sent, or broken off, and how many milliseconds it took. */
type Watch = (request: Request, response: Response, time: number) => void;

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
const alwaysSent = (origins: HttpConfig['origins']): readonly (readonly [string, string])[] => [
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

/**
 * Milliseconds that a refusal is held back: clients that retry at once, as many do whatever `Retry-After` says, must not take
 * the time of those who are served.
 */
const REFUSAL_DELAY_MS = 500;

/** What operators ask for, and the question of a browser before it writes. */
const isExempt = ({ url = '', method }: IncomingMessage): boolean =>
  method === 'OPTIONS' || url === '/_health' || url === '/_ready' || url === '/metrics';

/** Told of each answer, by the template of its route. */
export type WatchRoute = (
  request: { readonly method: string; readonly originalUrl: string; readonly ip?: string | undefined },
  response: ServerResponse,
  route: string,
  time: number,
) => void;

type Refusing = Pick<EdgeOptions, 'admission' | 'http'> & { readonly watch: WatchRoute | undefined };

/**
 * Refuses what comes when no more may wait, before anything is done for it: by far cheaper than express, so that refusals
 * do not take the time of those who are served. Where only some origins may read, express does it.
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
      const { method = '', url: originalUrl = '' } = request;
      // Behind a proxy it would be the proxy's.
      const ip = http.trustedProxies === 0 ? request.socket.remoteAddress : undefined;
      response.once('close', () => watch({ method, originalUrl, ip }, response, 'refused', performance.now() - start));
    }
    setTimeout(refuse, REFUSAL_DELAY_MS, response, requestId(request));
  };
}
