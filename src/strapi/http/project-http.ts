import path, { posix } from 'node:path';
import type Router from '@koa/router';
import express, { type Request, type RequestHandler } from 'express';
import type Koa from 'koa';
import type { Context, Middleware } from 'koa';
import compose from 'koa-compose';
import type { Config } from '../../config/config.js';
import { formatPlace, locateSetting } from '../../config/project/locate-setting.js';
import type { Entries } from '../../documents/entries.js';
import { AppError } from '../../errors/app-error.js';
import { reasonOf } from '../../errors/reason-of.js';
import { StartError } from '../../errors/start-error.js';
import type { CodeMatch } from '../../rest/answerers.js';
import { isRead } from '../../rest/read-requests.js';
import type { CodeLayer } from '../../rest/router.js';
import type { Route } from '../../plugins/contract/plugin.js';
import { uids } from '../../plugins/users-permissions/uids.js';
import { noteRoute } from '../../plugins/contract/response-notes.js';
import type { OpenProject } from '../open-project.js';
import { findAuthenticationCode } from '../services/guarded-members.js';
import type { Named, StrapiContext } from '../strapi.js';
import { authenticate, type RouteAuthentication } from './authentication.js';
import { receiveBody, type BodyOptions } from './body.js';
import { answerOrigin, parseCors } from './cors.js';
import { describeForClient } from './errors.js';
import { answerDownstream } from './downstream.js';
import { builtInMiddlewares, defaultMiddlewares, resolveMiddlewares, type NamedMiddleware } from './middlewares.js';
import { createRouter, listRoutes, noRoutes, toCode, type CodeRouter, type RouterParts } from './router.js';

/** What requests for code need of the service. */
export interface HttpParts
  extends
    Pick<BodyOptions, 'slots' | 'bodies' | 'readForm'>,
    Pick<RouterParts, 'guard'>,
    Pick<RouteAuthentication, 'authenticate' | 'actions'> {
  readonly config: Config;
  readonly entries: Entries;
  /** Those of plugins and the project. */
  readonly routes: readonly Route[];
}

export interface ProjectHttp extends CodeLayer {
  /** The routes of the project, once they are mounted. */
  router(): CodeRouter;
  /** The actions that the project's routes leave to the service for a request that it answers. */
  coreActions(request: Request): readonly string[];
  /** Adds the middlewares of `config/middlewares`: before `bootstrap`. */
  useMiddlewares(): void;
  /** Creates the routes, after `bootstrap`. */
  mount(): void;
}

/** Serves a project's routes with Koa, within the service's application. */
export function createProjectHttp(project: OpenProject, parts: HttpParts): ProjectHttp {
  const { strapi, created, server, code, routedActions, routedPlugins } = project;
  const { context, registries } = created;
  const { app } = server;
  const { config, readForm, slots, bodies } = parts;
  const { codePrefix: prefix } = config.rest;
  const endpoint = String(context.config.get('plugin.graphql.endpoint', '/graphql'));
  const routerParts: RouterParts = {
    strapi,
    authenticate: authenticate({
      authenticate: parts.authenticate,
      strategies: created.strategies,
      actions: parts.actions,
      loadUser: async (id, credentials) =>
        findAuthenticationCode(strapi).fetchAuthenticatedUser === undefined
          ? (created.form.loadUser?.(strapi, id) ??
            parts.entries.findFirst(uids.user, { filters: { id }, populate: ['role'] }))
          : credentials,
      names: created.form.strategies,
    }),
    receiveBody: receiveBody(slots, (work) => within(config.server.requestTimeout, work)),
    guard: parts.guard,
    load: code.load,
    showsPolicies: created.form.showsPolicies,
    server,
    plugins: routedPlugins,
    prefix,
  };
  /** The routes of the service's plugins that the service answers. */
  const offered = parts.routes.filter(
    ({ action }) => action?.startsWith('plugin::') === true && !routedActions.has(action),
  );
  const isPublic = createIsPublic(endpoint, prefix);
  const publicFolder = path.join(code.folder, String(strapi.config.get('server.dirs.public', './public')));
  const files = serveFolder(publicFolder);
  /** The routes of the service. */
  let routes: RequestHandler = (_request, _response, next) => next();
  /** The actions that the routes of code leave to the service, by request. */
  const leftToCore = new WeakMap<object, readonly string[]>();
  let router = noRoutes;
  let handle: ReturnType<Koa['callback']> | undefined;
  /** Whether `strapi::cors` is among the middlewares. */
  let hasCors = false;
  /** Whether middlewares of the project come after `strapi::body`. */
  let isFollowed = false;
  /** The layers of `strapi.server.router` that `register` added. */
  let early: ReadonlySet<Router.Layer> = new Set();
  /** The number of middlewares with those of `config/middlewares`. */
  let configured = 0;
  const isGraphql = ({ path }: Context): boolean =>
    [endpoint, `${endpoint}/`].some((one) => one.toLowerCase() === path.toLowerCase());
  /** The API in Strapi v4's form, which has a path of its own where code has that of Strapi 5. */
  const { prefix: other } = config.rest;
  const isOfOtherForm = (path: string): boolean => other !== prefix && path.startsWith(`${other}/`);
  const inOtherForm = ({ path, method }: Request): CodeMatch => router.match(prefix + path.slice(other.length), method);
  const isCode = ({ path, method }: Context): boolean => router.match(path, method).kind !== 'none';
  app.silent = true;
  /** Adds a middleware of the service. */
  const add = (middleware: Middleware): void => {
    server.own.add(middleware);
    app.use(middleware);
  };
  const provideContext: Middleware = (koa, next) =>
    strapi.requestContext.run<Promise<unknown>>(koa, next as () => Promise<unknown>);
  // Before those that `register` has added.
  server.own.add(provideContext);
  app.middleware.unshift(provideContext);

  const createRoute = (downstream: Middleware): Middleware => {
    return (koa, next) => {
      if (!isCode(koa)) return compose([...router.before(koa.path)])(koa, next);
      // In Strapi v4, the route of public files matches every read before its own route, and leaves the path.
      const params = isRead(koa) ? { 0: decoded(koa.path.slice(1)) } : {};
      Object.assign(koa, { params });
      noteRoute(koa.res, () => koa['_matchedRoute'] as unknown);
      // As in Strapi v4, code can precede every other route.
      return router.handle(koa, async () => downstream(koa, next));
    };
  };

  return {
    describeError: describeForClient,
    around: (served) => {
      routes = served;
      return (request, response, next) => {
        const isPreceded = server.isUsed() || router.before(request.path).length > 0;
        const { kind, actions } = isPreceded ? toCode : router.match(request.path, request.method);
        leftToCore.set(request, isOfOtherForm(request.path) ? inOtherForm(request).actions : actions);
        return kind === 'code' && handle !== undefined ? handle(request, response) : routes(request, response, next);
      };
    },
    runsCors: () => hasCors && server.isUsed(),
    files: (request, response, next) => (isPublic(request) ? files(request, response, next) : next()),
    router: () => router,
    coreActions: (request) => leftToCore.get(request) ?? [],
    useMiddlewares: () => {
      const receiving = {
        limit: config.limits.body,
        readForm,
        slots,
        bodies,
        isFollowed: () => isFollowed,
        isCode,
      };
      const hasOrigins = config.variables['CORS_ORIGINS'] !== undefined;
      // A route can have it with options of its own.
      const cors = (options: Named): Middleware =>
        answerOrigin(hasOrigins ? config.http.cors : parseCors(options, server));
      registries.middlewares.add('strapi::', builtInMiddlewares(context, receiving, app, cors));
      const middlewares = configuredMiddlewares(context, code.load);
      hasCors = middlewares.some(({ name }) => name === 'strapi::cors');
      isFollowed = middlewares.slice(middlewares.findIndex(({ name }) => name === 'strapi::body')).some(isOwn);
      for (const middleware of middlewares) (isOwn(middleware) ? app.use.bind(app) : add)(middleware.run);
      configured = app.middleware.length;
      early = new Set(server.router.stack);
      server.provideRoutes(() => listRoutes(routerParts, offered));
    },
    mount: () => {
      const isPreceded = server.ofApi.length > 0 || server.router.stack.some(({ methods }) => methods.length === 0);
      isFollowed ||= isPreceded || app.middleware.length > configured;
      for (const { stack } of server.router.stack) stack.unshift(routerParts.receiveBody);
      const apis = context.runtime('strapi.server').plugins.http.contentApis();
      router = createRouter(
        routerParts,
        (layer) => early.has(layer),
        apis.map((api) => api.prefix),
      );
      const downstream = answerDownstream(routes, isGraphql);
      add(createRoute(downstream));
      add(downstream);
      handle = app.callback();
    },
  };
}

/**
 * The files of a folder; as in Strapi v4, the index page of a folder in it has both its paths, with and without a slash
 * at the end.
 */
function serveFolder(folder: string): RequestHandler {
  const files = express.static(folder, { redirect: false });
  return (request, response, next) =>
    files(request, response, (error?: unknown) => {
      const { url, path } = request;
      if (error !== undefined || path.endsWith('/')) return next(error);
      request.url = `${path}/${url.slice(path.length)}`;
      return files(request, response, (failure?: unknown) => {
        request.url = url;
        next(failure);
      });
    });
}

/** Whether a request may be for a public file. */
const createIsPublic =
  (endpoint: string, prefix: string) =>
  ({ path, method }: Request): boolean =>
    isRead({ method }) &&
    path !== '/' &&
    path !== endpoint &&
    (prefix === '' || !path.startsWith(`${prefix}/`)) &&
    !/^\/uploads(?:\/|$)/i.test(posix.normalize(decoded(path)));

/** The middlewares of `config/middlewares`. @throws StartError with the place of one that cannot be loaded */
function configuredMiddlewares(
  { strapi, config }: StrapiContext,
  load: RouterParts['load'],
): readonly NamedMiddleware[] {
  const list: unknown = config.get('middlewares', defaultMiddlewares);
  if (!Array.isArray(list)) return resolveMiddlewares(strapi, list, load);
  return list.flatMap((item: unknown) => {
    try {
      return resolveMiddlewares(strapi, [item], load);
    } catch (error) {
      const { name, resolve } = (typeof item === 'string' ? { name: item } : (item ?? {})) as Named;
      const setting = { file: 'config/middlewares', keys: [], within: String(name ?? resolve) };
      const root = String(strapi.dirs['app'].root);
      const position = locateSetting([root], String(config.get('environment')), setting);
      throw new StartError(`${formatPlace(position)}: ${reasonOf(error)}`, { cause: error });
    }
  });
}

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
