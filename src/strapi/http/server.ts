import http from 'node:http';
import Router from '@koa/router';
import Koa from 'koa';
import qs from 'qs';
import { withAbsent } from '../absent-members.js';
import type { Anything, Named } from '../strapi.js';
import { addContextMethods } from './context-methods.js';
import { parserFor } from '../../calls/query-string.js';

/** `strapi.server` while routes and middlewares are collected. */
export interface CollectingServer {
  use(...middlewares: Koa.Middleware[]): CollectingServer;
  routes(routes: Anything): CollectingServer;
  readonly app: Koa;
  /** The service's own middlewares in `app`: all others are code of the project. */
  readonly own: Set<Koa.Middleware>;
  /** Whether code has middlewares there, however it put them there. */
  readonly isUsed: () => boolean;
  /** Middlewares that code adds to the content API, before all its routes. */
  readonly ofApi: Koa.Middleware[];
  /** Routes of code, in the order in which they were added: lists, and objects with a `type`. */
  readonly collected: Anything[];
  /** Its routes come before all others. */
  readonly router: Router;
  /** The context of a request: one for all that is done for it. */
  contextOf(request: http.IncomingMessage, response: http.ServerResponse): Koa.Context;
  /** Sets what `listRoutes` of the server and of its APIs return: the routes exist before `bootstrap`. */
  provideRoutes(list: ListRoutes): void;
  readonly [more: string]: unknown;
}

/** The layers of the router of the server, and of that of the content API. */
export type ListRoutes = () => { readonly main: readonly Router.Layer[]; readonly api: readonly Router.Layer[] };

/** @param httpServer the server of the service; by default one that never listens */
export function createServer(httpServer: http.Server = http.createServer()): CollectingServer {
  const app = new Koa();
  addContextMethods(app);
  parseQueries(app);
  takeFromEdge(app);
  keepMountPath(app);
  const contexts = new WeakMap<http.IncomingMessage, Koa.Context>();
  const remember: Koa.Middleware = (context, next) => {
    contexts.set(context.req, context);
    return next();
  };
  app.use(remember);
  const own = new Set([remember]);
  const ofApi: Koa.Middleware[] = [];
  const collected: Anything[] = [];
  const router = new Router();
  let list: ListRoutes = () => ({ main: router.stack, api: [] });
  const server: CollectingServer = {
    app,
    router,
    httpServer,
    collected,
    contextOf: (request, response) => {
      const known = contexts.get(request);
      if (known !== undefined) return known;
      const context = app.createContext(request, response);
      const { originalUrl = context.originalUrl } = request as Mounted;
      Object.assign(context, { originalUrl });
      Object.assign(context.request, { originalUrl });
      contexts.set(request, context);
      return context;
    },
    provideRoutes: (provided) => {
      list = provided;
    },
    listRoutes: () => [...list().main],
    own,
    isUsed: () => app.middleware.some((middleware) => !own.has(middleware)),
    ofApi,
    use: (...middlewares) => {
      for (const middleware of middlewares) app.use(middleware);
      return server;
    },
    routes: (routes: Anything) => {
      collected.push(routes);
      return server;
    },
    api: (type: string): Named => ({
      routes: (routes: Anything) => server.routes(Array.isArray(routes) ? { type, routes } : { type, ...routes }),
      use: (middleware: Koa.Middleware) => {
        if (type !== 'content-api') return server.use(middleware);
        ofApi.push(middleware);
        return server;
      },
      listRoutes: () => (type === 'content-api' ? [...list().api] : []),
    }),
  };
  return withAbsent('strapi.server', server);
}

/** What `TRUSTED_PROXIES` decides of the headers of proxies; koa's `secure` and `hostname` follow. */
const decidedByEdge = ['ip', 'ips', 'protocol', 'host'] as const;

/** Gives code the address, the protocol and the host that the service decided, not koa's own reading of headers. */
function takeFromEdge(app: Koa): void {
  for (const name of decidedByEdge) {
    Object.defineProperty(app.request, name, {
      configurable: true,
      get(this: { readonly req: Partial<Record<typeof name, unknown>> }) {
        return this.req[name] ?? '';
      },
      set(value: unknown) {
        Object.defineProperty(this, name, { value, configurable: true, writable: true });
      },
    });
  }
}

/**
 * A request that Express has passed on to a part of the service, such as GraphQL: its `url` begins after the path of
 * that.
 */
type Mounted = http.IncomingMessage & { readonly baseUrl?: string; readonly originalUrl?: string };

/** Gives code the whole path, as in Strapi v4, where Koa serves every part. */
function keepMountPath({ request }: Koa): void {
  const inherited = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(request) as Koa.Request);
  for (const name of ['url', 'path'] as const) {
    Object.defineProperty(request, name, {
      ...inherited[name],
      get(this: { readonly req: Mounted }) {
        const { baseUrl = '' } = this.req;
        const below = String(Reflect.apply(inherited[name].get as () => unknown, this, []));
        return baseUrl === '' ? below : baseUrl + below.replace(/^\/(?=\?|$)/, '');
      },
    });
  }
}

/** The parsed query strings of a request. */
interface Remembering {
  readonly req: Parameters<typeof parserFor>[0];
  querystring: string;
  parsedQueries?: Map<string, unknown>;
}

/**
 * `strapi::query`: `ctx.query` with nested brackets. Changes in it persist, and a replacement is converted to strings,
 * as in Strapi v4.
 */
function parseQueries(app: Koa): void {
  Object.defineProperty(app.request, 'query', {
    configurable: true,
    enumerable: true,
    get(this: Remembering) {
      const { querystring, req } = this;
      this.parsedQueries ??= new Map();
      if (!this.parsedQueries.has(querystring)) this.parsedQueries.set(querystring, parserFor(req)(querystring));
      return this.parsedQueries.get(querystring);
    },
    set(this: Remembering, query: unknown) {
      this.querystring = qs.stringify(query);
    },
  });
}
