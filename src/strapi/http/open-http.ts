import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Context, Middleware } from 'koa';
import type { Admission } from '../../rest/middleware/admission.js';
import { formatPlace, locateSetting } from '../../config/project/locate-setting.js';
import { AppError } from '../../errors/app-error.js';
import { reasonOf } from '../../errors/reason-of.js';
import { StartError } from '../../errors/start-error.js';
import { isRead } from '../../rest/requests.js';
import type { Route } from '../../plugins/contract/plugin.js';
import type { Named, StrapiContext } from '../strapi.js';
import { authenticate, type RouteAuthentication } from './authentication.js';
import { receivedForm, type BodyOptions } from './body.js';
import { answerDownstream } from './downstream.js';
import { builtInMiddlewares, defaultMiddlewares } from './global-middlewares.js';
import { resolveMiddlewares, type NamedMiddleware } from './middlewares.js';
import { createMatches } from './plain-routes.js';
import { createRouter, listRoutes, type CodeRouter } from './router.js';
import type { CollectingServer } from './server.js';

export interface HttpParts {
  readonly context: StrapiContext;
  readonly server: CollectingServer;
  readonly body: Pick<BodyOptions, 'limit' | 'readForm'>;
  readonly admission: Admission;
  /** Whether `CORS_ORIGINS` is set. */
  readonly hasOrigins: boolean;
  readonly authentication: RouteAuthentication;
  readonly load: (file: string) => unknown;
  readonly addMiddlewares: (namespace: string, middlewares: Named) => void;
  readonly isPlain: (route: Named, prefix: string | undefined) => boolean;
  /** Whether the path belongs to a content type, which returns 404 without a route. */
  readonly isShut: (path: string, method: string) => boolean;
  /** The routes of the service's plugins. */
  readonly offered: readonly Pick<Route, 'method' | 'path'>[];
  /** Plugins whose routes project code handles. */
  readonly plugins: readonly string[];
  /** Public files. */
  readonly publicFolder: string;
  /** The time limit of a handler in milliseconds. */
  readonly timeLimit: number;
}

export interface StrapiHttp {
  /** Adds the middlewares of `config/middlewares`: before `bootstrap`. */
  useMiddlewares(): void;
  /** Creates the routes, after `bootstrap`. */
  mount(): void;
  /** Is a request for this path answered as if there were no code? */
  isPlain(path: string, method: string): boolean;
  /** Does the project have a route for this path? */
  isRouted(path: string, method: string): boolean;
  /** Handles requests for project code, and passes on all others. */
  readonly handler: RequestHandler;
}

/** Serves a project's routes with Koa, within the service's application. */
export function openHttp(parts: HttpParts): StrapiHttp {
  const { context, server, admission, timeLimit } = parts;
  const { strapi } = context;
  const { app } = server;
  const passing = new WeakMap<object, () => void>();
  let middlewares: readonly NamedMiddleware[] = [];
  let router: CodeRouter | undefined;
  let handlesAllPaths = false;

  app.silent = true;
  app.use((koa, next) => strapi.requestContext.run(koa, next as () => Promise<unknown>));
  const isOffered = createMatches(parts.offered);
  const downstream = answerDownstream((koa) => passing.get(koa.req)?.());
  const routed: Middleware = (koa, next) => {
    const kind = router?.match(koa.path, koa.method).kind;
    if (kind === undefined || kind === 'none') return next();
    // In Strapi v4, the route of public files matches every read before its own route, and leaves the path.
    const params = isRead(koa) ? { 0: decoded(koa.path.slice(1)) } : {};
    Object.assign(koa, { params });
    const { path, method } = koa;
    // As in Strapi v4, code in the router can precede a route of a plugin. Of a form that it read, nothing is left to read.
    const isPreceding = isOffered(path, method) && !parts.isShut(path, method) && receivedForm(koa) === undefined;
    const last = async (): Promise<unknown> => (isPreceding ? downstream(koa, next) : undefined);
    return admission.run(koa.res, () => within(timeLimit, router?.handle(koa, last) as Promise<unknown>));
  };
  // As in Strapi v4, where every path could be a public file, only reads return 404.
  const refuse: Middleware = (koa, next) => {
    if (isRead(koa)) return next();
    koa.status = 405;
    koa.body = 'Method Not Allowed';
    return undefined;
  };
  const passOn: Middleware = (koa, next) => (parts.isShut(koa.path, koa.method) ? refuse : downstream)(koa, next);
  const routerParts = {
    strapi,
    authenticate: authenticate(parts.authentication),
    load: parts.load,
    isPlain: parts.isPlain,
    prefix: String(context.config.get('api.rest.prefix', '/api')),
  };

  const isCode = (koa: Context): boolean => (router?.match(koa.path, koa.method).kind ?? 'none') !== 'none';
  const endpoint = String(context.config.get('plugin.graphql.endpoint', '/graphql'));
  const files = express.static(parts.publicFolder, { index: false });
  const isPublic = ({ path, method }: Request): boolean =>
    isRead({ method }) && path !== '/' && path !== endpoint && !/^\/(?:api|uploads)\//.test(path);
  const resolveConfigured = (item: unknown): readonly NamedMiddleware[] => {
    try {
      return resolveMiddlewares(strapi, [item], parts.load);
    } catch (error) {
      const { name, resolve } = (typeof item === 'string' ? { name: item } : (item ?? {})) as Named;
      const setting = { file: 'config/middlewares', keys: [], within: String(name ?? resolve) };
      const root = String(strapi.dirs['app'].root);
      const position = locateSetting([root], String(context.config.get('environment')), setting);
      throw new StartError(`${formatPlace(position)}: ${reasonOf(error)}`, { cause: error });
    }
  };
  let handle: ReturnType<typeof app.callback> | undefined;
  const isOurs = ({ path, method }: Request): boolean => {
    if (handlesAllPaths) return true;
    const kind = router?.match(path, method).kind ?? 'none';
    return kind === 'code' || (kind === 'none' && parts.isShut(path, method));
  };
  return {
    useMiddlewares: () => {
      parts.addMiddlewares(
        'strapi::',
        builtInMiddlewares(context, { ...parts.body, isCode, endpoint }, app, parts.hasOrigins),
      );
      const list: unknown = context.config.get('middlewares', defaultMiddlewares);
      middlewares = Array.isArray(list)
        ? list.flatMap((item: unknown) => resolveConfigured(item))
        : resolveMiddlewares(strapi, list, parts.load);
      handlesAllPaths = server.isUsed() || middlewares.some(({ name }) => name?.startsWith('strapi::') !== true);
      for (const { run } of middlewares) app.use(run);
      server.provideRoutes(() => listRoutes(routerParts, server, parts));
    },
    mount: () => {
      handlesAllPaths ||= server.isUsed();
      router = createRouter(routerParts, server, parts.plugins);
      app.use(routed).use(passOn);
      handle = app.callback();
    },
    isPlain: (path, method) => router?.match(path, method).kind === 'plain',
    isRouted: (path, method) => (router?.match(path, method).kind ?? 'none') !== 'none',
    handler: (request: Request, response: Response, next) => {
      const pass = isPublic(request) ? () => files(request, response, next) : next;
      if (handle === undefined || !isOurs(request)) return pass();
      passing.set(request, pass);
      return void handle(request, response);
    },
  };
}

/** The path without percent-encoding; unchanged if it is malformed. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** @throws AppError outOfTime if the work takes longer */
async function within<T>(limit: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new AppError('outOfTime')), limit);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}
