import path from 'node:path';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Context, Middleware } from 'koa';
import type { Admission } from '../../rest/middleware/admission.js';
import { formatPlace, locateSetting } from '../../config/project/locate-setting.js';
import { AppError } from '../../errors/app-error.js';
import { reasonOf } from '../../errors/reason-of.js';
import { StartError } from '../../errors/start-error.js';
import { isRead, type Guard } from '../../rest/requests.js';
import type { Route } from '../../plugins/contract/plugin.js';
import { noteRoute } from '../../plugins/contract/response-notes.js';
import type { Named, StrapiContext } from '../strapi.js';
import { authenticate, type RouteAuthentication } from './authentication.js';
import { receiveBody, receivedForm, type BodyOptions } from './body.js';
import { answerDownstream } from './downstream.js';
import { builtInMiddlewares, defaultMiddlewares } from './global-middlewares.js';
import { resolveMiddlewares, type NamedMiddleware } from './middlewares.js';
import { createMatches, type PlainActionOf } from './plain-routes.js';
import { createRouter, listRoutes, noMatch, type CodeRouter, type Match, type RouteToAction } from './router.js';
import type { CollectingServer } from './server.js';

export interface HttpParts {
  readonly context: StrapiContext;
  readonly server: CollectingServer;
  readonly body: Pick<BodyOptions, 'limit' | 'readForm'>;
  readonly admission: Admission;
  /** For requests with a form: slow ones do not block others. */
  readonly formAdmission: Admission;
  /** Whether `CORS_ORIGINS` is set. */
  readonly hasOrigins: boolean;
  readonly authentication: RouteAuthentication;
  /** The guards of the project's extension. */
  readonly guard: Guard;
  readonly load: (file: string) => unknown;
  readonly addMiddlewares: (namespace: string, middlewares: Named) => void;
  readonly plainActionOf: PlainActionOf;
  /** The routes of the service's plugins that the service answers. */
  readonly offered: readonly Pick<Route, 'method' | 'path'>[];
  /** The path of the API, `/api`. */
  readonly prefix: string;
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
  /** The project's route for this path. */
  match(path: string, method: string): Match;
  /** Its routes to actions of the service's plugins, once they are mounted. */
  toActions(): readonly RouteToAction[];
  /** The actions that the project's routes leave to the service for a request that `handler` passed on. */
  plainActions(request: Request): readonly string[];
  /** Handles requests for project code, and passes on all others. */
  readonly handler: RequestHandler;
}

/** Serves a project's routes with Koa, within the service's application. */
export function openHttp(parts: HttpParts): StrapiHttp {
  const { context, server, admission, formAdmission, prefix, timeLimit } = parts;
  const { strapi } = context;
  const { app } = server;
  const passing = new WeakMap<object, () => void>();
  const left = new WeakMap<object, readonly string[]>();
  let middlewares: readonly NamedMiddleware[] = [];
  let router: CodeRouter | undefined;
  let handlesAllPaths = false;
  /** Whether middlewares of the project come after `strapi::body`. */
  let isFollowed = false;
  /** The number of middlewares with those of `config/middlewares`. */
  let configured = 0;

  const limitTime = (work: Promise<unknown>): Promise<unknown> => within(timeLimit, work);
  const receive = receiveBody(admission, limitTime);

  const match = (path: string, method: string): Match => router?.match(path, method) ?? noMatch;
  const isCode = (koa: Context): boolean => match(koa.path, koa.method).kind !== 'none';

  app.silent = true;
  app.use((koa, next) => strapi.requestContext.run(koa, next as () => Promise<unknown>));
  const isOffered = createMatches(prefix, parts.offered);
  const downstream = answerDownstream((koa) => passing.get(koa.req)?.());
  const routed: Middleware = (koa, next) => {
    if (!isCode(koa)) return next();
    // In Strapi v4, the route of public files matches every read before its own route, and leaves the path.
    const params = isRead(koa) ? { 0: decoded(koa.path.slice(1)) } : {};
    Object.assign(koa, { params });
    const { path, method } = koa;
    // As in Strapi v4, code can precede a route of a plugin. A form that it read cannot be read again.
    const isPreceding = isOffered(path, method);
    const last = async (): Promise<unknown> =>
      isPreceding && receivedForm(koa) === undefined ? downstream(koa, next) : undefined;
    noteRoute(koa.res, () => koa['_matchedRoute'] as unknown);
    return router?.handle(koa, last);
  };
  const routerParts = {
    strapi,
    authenticate: authenticate(parts.authentication),
    receiveBody: receive,
    guard: parts.guard,
    load: parts.load,
    plainActionOf: parts.plainActionOf,
    prefix,
  };

  const endpoint = String(context.config.get('plugin.graphql.endpoint', '/graphql'));
  const files = express.static(parts.publicFolder, { index: false });
  const isPublic = ({ path, method }: Request): boolean =>
    isRead({ method }) &&
    path !== '/' &&
    path !== endpoint &&
    (prefix === '' || !path.startsWith(`${prefix}/`)) &&
    !/^\/uploads(?:\/|$)/i.test(fileOf(path));
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
  return {
    useMiddlewares: () => {
      const body = { ...parts.body, admission, formAdmission, isFollowed: () => isFollowed, isCode, endpoint };
      parts.addMiddlewares('strapi::', builtInMiddlewares(context, body, app, parts.hasOrigins));
      const list: unknown = context.config.get('middlewares', defaultMiddlewares);
      middlewares = Array.isArray(list)
        ? list.flatMap((item: unknown) => resolveConfigured(item))
        : resolveMiddlewares(strapi, list, parts.load);
      handlesAllPaths = server.isUsed() || middlewares.some(isOwn);
      isFollowed = middlewares.slice(middlewares.findIndex(({ name }) => name === 'strapi::body')).some(isOwn);
      for (const { run } of middlewares) app.use(run);
      configured = app.middleware.length;
      server.provideRoutes(() => listRoutes(routerParts, server, parts));
    },
    mount: () => {
      handlesAllPaths ||= server.isUsed();
      isFollowed ||= app.middleware.length > configured;
      for (const { stack } of server.router.stack) stack.unshift(receive);
      router = createRouter(routerParts, server, parts.plugins);
      app.use(routed).use(downstream);
      handle = app.callback();
    },
    match,
    toActions: () => router?.toActions ?? [],
    plainActions: (request) => left.get(request) ?? [],
    handler: (request: Request, response: Response, next) => {
      const pass = isPublic(request) ? () => files(request, response, next) : next;
      if (!handlesAllPaths) {
        const { kind, actions } = match(request.path, request.method);
        left.set(request, actions);
        if (kind !== 'code') return pass();
      }
      if (handle === undefined) return pass();
      passing.set(request, pass);
      return void handle(request, response);
    },
  };
}

/** The file that a path leads to in the folder of public files. */
const fileOf = (place: string): string => path.posix.normalize(decoded(place));

const isOwn = ({ name }: NamedMiddleware): boolean => name?.startsWith('strapi::') !== true;

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
