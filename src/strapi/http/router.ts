import Router from '@koa/router';
import type { Middleware } from 'koa';
import compose from 'koa-compose';
import { isCoreAction, type CoreAction } from '../../plugins/contract/answerer.js';
import type { Route } from '../../plugins/contract/plugin.js';
import { isCore } from '../core/controller.js';
import { coreRoutes } from '../core/factories.js';
import { isOwnLocalization } from '../core/localizations.js';
import type { Anything, Named, Strapi, StrapiModule } from '../strapi.js';
import type { CollectingServer, ListRoutes } from './server.js';
import { actionIn, actionOf, addEndpoint, type EndpointParts } from './endpoint.js';
import type { Origin } from '../utilities/policy.js';
import { isAbsent } from '../../config/record.js';
import type { CodeMatch } from '../../rest/answerers.js';
import { isRead } from '../../rest/read-requests.js';

/** A route of code to an action of a plugin of the service. */
interface RouteToAction extends Pick<Route, 'path'> {
  readonly methods: readonly string[];
  readonly action: string;
}

export interface CodeRouter {
  readonly handle: Middleware;
  match(path: string, method: string): CodeMatch;
  /**
   * What `router.use(…)` of `strapi.server` and of the content API puts before the routes of the service that have this
   * path.
   */
  before(path: string): readonly Middleware[];
  /** Below the prefix of the content API. */
  readonly toActions: readonly RouteToAction[];
}

export interface RouterParts extends EndpointParts {
  readonly server: Pick<CollectingServer, 'router' | 'collected' | 'ofApi'>;
  /** Plugins whose routes project code handles. */
  readonly plugins: readonly string[];
  /** The prefix of the content API, `/api`. */
  readonly prefix: string;
}

/**
 * Whether layers of a router come before the routes of the service outside of the content API: those that `register`
 * added.
 */
type IsEarly = (layer: Router.Layer) => boolean;

/**
 * The action of each route by the last of its handlers; also as `core` if the core answers it, unless its events are
 * observed. What the service has added for it, and does there itself, is its own.
 */
type Found = Map<unknown, { readonly named: string; readonly core: string | undefined; readonly isOwn: boolean }>;

/** Adds routes: lists unchanged, objects with their prefix, unless a route has `config.prefix`. */
function addRoutes(parts: RouterParts, router: Router, routes: Anything, type: string, found: Found): void {
  const isList = Array.isArray(routes);
  const { prefix, routes: list } = (isList ? { routes } : routes) as Named;
  if (isAbsent(list)) return;
  const inner = new Router(isAbsent(prefix) ? {} : { prefix });
  for (const route of (list as Named[]).flat()) {
    const isFree = isList || Object.hasOwn(route['config'] ?? {}, 'prefix');
    const target = isFree ? router : inner;
    route['info'] = { ...route['info'], type };
    addEndpoint(parts, route, target);
    const core = coreActionOf(parts.strapi, route, isFree ? undefined : prefix);
    const isOwn = !isFree && isUnguarded(route) && isOwnLocalization(parts.strapi, route['handler']);
    found.set(target.stack.at(-1)?.stack.at(-1), { named: actionOf(route), core, isOwn });
  }
  if (!isList) router.use(inner.routes(), inner.allowedMethods());
}

/**
 * The action of a core route of a content type whose controller and service are not overridden; undefined: code handles
 * it.
 */
function coreActionOf(
  strapi: Strapi,
  { method, path, handler, config = {} }: Named,
  prefix: string | undefined,
): string | undefined {
  if (typeof handler !== 'string' || prefix !== undefined) return undefined;
  const [, uid = '', action = ''] = /^(api::[^.]+\.[^.]+)\.([^.]+)$/.exec(handler) ?? [];
  const model = strapi.contentType(uid);
  if (model === undefined || !isCoreAction(action)) return undefined;
  const core = coreRoutes(model)[action];
  if (core?.['method'] !== method || core?.['path'] !== path) return undefined;
  return isUnguarded({ handler, config }) && isCore(strapi, model, action) ? handler : undefined;
}

/** Whether a route only needs the permission of its action, and has nothing else before it. */
function isUnguarded({ handler, config = {} }: Named): boolean {
  const { auth, policies, middlewares, ...others } = config as Named;
  const isUsual = auth?.scope?.length === 1 && auth.scope[0] === handler && Object.keys(auth as object).length === 1;
  return isUsual && !(policies?.length > 0 || middlewares?.length > 0 || Object.keys(others).length > 0);
}

const isEmpty = (scope: unknown): boolean => isAbsent(scope) || (Array.isArray(scope) && scope.length === 0);

/**
 * Says whose each route is. One with a named handler needs the permission of that name, unless it has another scope.
 */
function describeRoutes(routes: Named, namespace: string, origin: Origin): void {
  // A list with two consecutive commas has a hole, which Strapi skips.
  for (const route of ((routes['routes'] ?? []) as Named[]).flat()) {
    route['info'] = { ...origin, type: 'content-api' };
    if (typeof route['handler'] !== 'string') continue;
    const action = actionIn(namespace, route['handler']);
    const config = (route['config'] ??= {});
    config.auth ??= {};
    // As in Strapi v4, an empty scope does not open the route.
    if (config.auth !== false && isEmpty(config.auth.scope)) config.auth.scope = [action];
  }
}

/** The routes of a plugin: a list, or objects by type. Those of the admin panel are ignored. */
const routersOf = ({ routes }: StrapiModule, name: string): readonly Named[] =>
  Object.values((Array.isArray(routes) ? {} : (routes ?? {})) as Named<Named>)
    .filter(({ type }) => type === 'content-api')
    .map(({ prefix = `/${name}`, routes: list }) => ({ prefix, routes: list as unknown }));

/**
 * The routers of the APIs by their names, then those of plugins, whose routes are described.
 * @param plugins the names of these plugins
 */
export function describedRouters(strapi: Strapi, plugins: readonly string[]): readonly Named[] {
  const routers: Named[] = [];
  const add = (routes: Named, namespace: string, origin: Origin): void => {
    describeRoutes(routes, namespace, origin);
    routers.push(routes);
  };
  for (const [apiName, module] of Object.entries(strapi.api)) {
    for (const routes of Object.values((module.routes ?? {}) as Named)) {
      if (!isAbsent(routes)) add(routes, `api::${apiName}`, { apiName });
    }
  }
  for (const pluginName of plugins) {
    const module = strapi.plugin(pluginName);
    for (const routes of module === undefined ? [] : routersOf(module, pluginName)) {
      add(routes, `plugin::${pluginName}`, { pluginName });
    }
  }
  return routers;
}

/**
 * All routes of code, in Strapi v4's order: those of `strapi.server`, of APIs by their names, of plugins.
 * @param apiPrefixes those of the content API in other forms: what comes before the content API comes before them, too
 */
export function createRouter(
  parts: RouterParts,
  isEarly: IsEarly = () => true,
  apiPrefixes: readonly string[] = [],
): CodeRouter {
  const main = parts.server.router;
  const { api, found } = addAllRoutes(parts, main);
  for (const middleware of parts.server.ofApi) main.use(parts.prefix || '/', middleware as Router.Middleware);
  // Without those that answer `OPTIONS` and other methods for the routes themselves.
  const layers = main.stack.filter(({ methods }) => methods.length === 0);
  main.use(api.routes(), api.allowedMethods());
  const ofApi = [parts.prefix, ...apiPrefixes];
  const layersBefore = (path: string): readonly Middleware[] => {
    if (layers.length === 0) return [];
    const prefix = ofApi.find((one) => isBelow(one, path));
    const place = prefix === undefined ? path : parts.prefix + path.slice(prefix.length);
    return layers
      .filter((layer) => layer.match(place) && (prefix !== undefined || isEarly(layer)))
      .map((layer) => atPath(layer, place, parts.receiveBody));
  };
  const toActions = api.stack.flatMap(({ path, methods, stack }): readonly RouteToAction[] => {
    const action = found.get(stack.at(-1))?.named;
    return action === undefined ? [] : [{ path: String(path).slice(parts.prefix.length), methods, action }];
  });
  return {
    handle: joined(main),
    match: (path, method) => matchOf(main, found, parts.strapi, path, method),
    before: (path) => layersBefore(path),
    toActions,
  };
}

/** The routes of code at this moment, and those of the service's plugins, for `listRoutes`. */
export function listRoutes(
  parts: RouterParts,
  offered: readonly Pick<Route, 'method' | 'path'>[],
): ReturnType<ListRoutes> {
  const main = new Router();
  main.stack.push(...parts.server.router.stack);
  const { api } = addAllRoutes(parts, main);
  for (const { method, path } of offered) api.register(path, [method], () => undefined);
  return { main: main.stack, api: api.stack };
}

/** Adds the routes of `strapi.server` to a router, and returns that of the content API. */
function addAllRoutes(parts: RouterParts, main: Router): { readonly api: Router; readonly found: Found } {
  const { strapi, server, plugins, prefix } = parts;
  const api = new Router({ prefix });
  const found: Found = new Map();
  for (const routes of server.collected) {
    const isApi = !Array.isArray(routes) && routes.type === 'content-api';
    addRoutes(parts, isApi ? api : main, routes, isApi ? 'content-api' : 'api', found);
  }
  for (const routes of describedRouters(strapi, plugins)) addRoutes(parts, api, routes, 'content-api', found);
  return { api, found };
}

/**
 * As in Strapi v4, which looks for a file at every path, a read without a route is not found, and GET is allowed. A
 * path has the methods of code and those of the service.
 */
function joined(router: Router): Middleware {
  const routes = router.routes();
  const allowed = router.allowedMethods();
  return (context, next) =>
    routes(context as never, async () => {
      await (isRead(context) ? next() : allowed(context as never, next));
      const methods = context.response.get('Allow').split(', ');
      if (methods[0] === '') return;
      const ofCode = (context['matched'] as readonly Router.Layer[]).flatMap((layer) => layer.methods);
      const read = methods.includes('GET') ? [] : ['HEAD', 'GET'];
      context.set('Allow', [...new Set([...read, ...methods, ...ofCode])].join(', '));
    });
}

/** The action of a handler that the core answers: code can begin to observe its events at any time. */
const unobserved =
  (found: Found, { db }: Strapi) =>
  (handler: unknown): string | undefined => {
    const { core } = found.get(handler) ?? {};
    if (core === undefined) return undefined;
    const end = core.lastIndexOf('.');
    return db.lifecycles.isObserved(core.slice(0, end), core.slice(end + 1) as CoreAction) ? undefined : core;
  };

function matchOf(router: Router, found: Found, strapi: Strapi, path: string, method: string): CodeMatch {
  const coreOf = unobserved(found, strapi);
  const matched = router.match(path, method);
  const routes = (matched.route ? matched.pathAndMethod : matched.path).filter(({ methods }) => methods.length > 0);
  if (routes.length === 0) return noMatch;
  // A request that the router refuses must not reach other handlers.
  if (!matched.route && method !== 'OPTIONS') return { ...toCode, isRefused: true };
  const deciding = matched.route ? routes.slice(0, 1) : routes;
  const actions = deciding.flatMap((layer) => coreOf(layer.stack.at(-1)) ?? []);
  if (actions.length === deciding.length) return { kind: 'core', actions };
  return deciding.every((layer) => found.get(layer.stack.at(-1))?.isOwn === true) ? { ...toCode, isOwn: true } : toCode;
}

const isBelow = (prefix: string, path: string): boolean => path === prefix || path.startsWith(`${prefix}/`);

/** A layer with the parameters that it finds in a path. Handlers of the service read bodies by themselves. */
const atPath =
  (layer: Router.Layer, path: string, receiveBody: Middleware): Middleware =>
  (context, next) => {
    context['params'] = layer.params(path, layer.captures(path), context['params'] as Named);
    const run = layer.stack.filter((middleware) => middleware !== receiveBody) as Middleware[];
    return compose(run)(context, next);
  };

const noMatch: CodeMatch = { kind: 'none', actions: [] };
/** Code answers. */
export const toCode: CodeMatch = { kind: 'code', actions: [] };

/** The router before the routes are created. */
export const noRoutes: CodeRouter = {
  handle: (_context, next) => next(),
  match: () => noMatch,
  before: () => [],
  toActions: [],
};
