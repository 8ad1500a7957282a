import type { Server } from 'node:http';
import Koa from 'koa';
import type { Anything, Named, StrapiServer } from '../strapi.js';
import { addContextMethods } from './context-methods.js';
import { parseQueries } from './query.js';

/** `strapi.server` while routes and middlewares are collected. */
export interface CollectingServer extends StrapiServer {
  readonly app: Koa;
  /** Middlewares of project code that run before every route. */
  readonly isUsed: () => boolean;
  /** Routes of code, in the order in which they were added: lists, and objects with a `type`. */
  readonly collected: Anything[];
  /** From now on `httpServer` is this one. */
  readonly attach: (httpServer: Server | undefined) => void;
}

/** @param keys what signs cookies @param proxy whether what proxies say of the client is taken */
export function createServer(): CollectingServer {
  const app = new Koa();
  addContextMethods(app);
  parseQueries(app);
  const collected: Anything[] = [];
  let used = false;
  let attached: Server | undefined;
  const server: CollectingServer = {
    app,
    collected,
    isUsed: () => used,
    attach: (httpServer) => {
      attached = httpServer;
    },
    get httpServer(): Server {
      if (attached === undefined) throw new Error('strapi.server.httpServer is not available before bootstrap');
      return attached;
    },
    use: (...middlewares) => {
      used = true;
      for (const middleware of middlewares) app.use(middleware);
      return server;
    },
    routes: (routes: Anything) => {
      collected.push(routes);
      return server;
    },
    api: (type: string): Named => ({
      routes: (routes: Anything) => server.routes(Array.isArray(routes) ? { type, routes } : { type, ...routes }),
      use: (middleware: Koa.Middleware) => server.use(middleware),
    }),
  };
  return server;
}
