import compression from 'compression';
import type { Express, Request, RequestHandler, Response } from 'express';
import type { HttpConfig } from '../../config/config.js';
import type { SecurityHeader } from '../../config/security-settings.js';
import { isLocalRequest } from '../../plugins/contract/http/local-request.js';
import { AppError } from '../../errors/app-error.js';
import type { QueryCosts } from '../../mongo/observe/query-cost.js';
import type { Caching } from '../../plugins/contract/plugin.js';
import { noteRoute } from '../../plugins/contract/response-notes.js';
import type { Admission } from './admission.js';
import { health, readiness, type Readiness, metricsRoute, type Exposed } from './operator-routes.js';
import { createAllowOrigin, isPreflight, openHeaders } from './cross-origin.js';
import { isPublicRead } from '../read-requests.js';
import { REQUEST_ID, requestId } from '../request-id.js';
import { securityHeaders } from './security-headers.js';

/** Called for each response that was sent or aborted, with its route template and its duration in milliseconds. */
type Watch = (request: Request, response: Response, route: string, time: number) => void;

export interface EdgeOptions extends Readiness {
  readonly http: HttpConfig;
  readonly admission: Admission;
  /** Counts a request of this address. @throws AppError tooManyRequests */
  readonly countRequest: ((address: string) => Promise<void>) | undefined;
  readonly exposed: Exposed;
  readonly watch: Watch;
  readonly templateOf: (request: Request, response: Response) => string;
  /**
   * Whether code of a project, which runs for every request, contains `strapi::cors`, and thus what comes before and
   * after that.
   */
  readonly runsCors?: () => boolean;
}

/**
 * Milliseconds by which a refusal is delayed: clients that retry immediately, as many do despite `Retry-After`, must
 * not take time from other requests.
 */
const REFUSAL_DELAY_MS = 1000;

/** Responses of at least as many bytes are compressed; smaller ones fit into one or two packets. */
const WORTH_COMPRESSING = 2048;

/** The middleware before every route: headers, limits, and the routes of operators. */
export function addEdge(app: Express, options: EdgeOptions): void {
  const { http, admission, countRequest, exposed } = options;
  app.use(prepare(options));
  app.use(crossOrigin(options));
  app.get('/_health', health);
  app.get('/_ready', readiness(options));
  app.get('/metrics', metricsRoute(exposed, http.metricsToken));
  app.use((_request, response, next) => {
    if (!admission.full) return next();
    noteRoute(response, () => 'refused');
    setTimeout(() => next(new AppError('overloaded')), REFUSAL_DELAY_MS);
  });
  if (countRequest !== undefined) {
    app.use(async (request, _response, next) => {
      await countRequest(request.ip ?? '');
      next();
    });
  }
  if (http.compression) app.use(compression({ threshold: WORTH_COMPRESSING }));
}

/** One layer for everything that each request needs, because each layer of express costs time. */
function prepare({ http, watch, templateOf }: EdgeOptions): RequestHandler {
  const { urlLimit, cors, security = securityHeaders } = http;
  const always: readonly SecurityHeader[] = [...security, ...openHeaders(cors)];
  return (request, response, next) => {
    const start = performance.now();
    response.once('close', () => watch(request, response, templateOf(request, response), performance.now() - start));
    for (const header of always)
      response.setHeader(...(typeof header === 'function' ? header(request, response) : header));
    response.setHeader(REQUEST_ID, requestId(request));
    if (request.originalUrl.length > urlLimit) throw new AppError('queryTooLong');
    next();
  };
}

/** Sets the headers for pages of other origins, and responds to preflight requests, unless code of the project may. */
function crossOrigin({ http: { cors }, runsCors = () => false }: EdgeOptions): RequestHandler {
  const allow = createAllowOrigin(cors);
  const decide: RequestHandler = async (request, response, next) => {
    if (await allow(request, response)) response.setHeader('Content-Length', '0').status(204).end();
    else next();
  };
  return (request, response, next) => {
    const isAsked = isPreflight(request);
    // The headers for any origin are set already. A function decides by what middlewares before it have done.
    const isDone = cors.origins === 'any' && !isAsked;
    const isLeft = (isAsked || typeof cors.origins === 'function') && runsCors();
    return isDone || isLeft ? next() : decide(request, response, next);
  };
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
