import Router from '@koa/router';
import type { Registry } from '../../content-types/model/types.js';
import type { Route } from '../../plugins/contract/plugin.js';
import type { Offers } from '../../rest/offers.js';
import { isRead } from '../../rest/requests.js';
import { resourcesOf } from '../../rest/resources.js';
import { isCoreAction } from '../core/controller.js';
import { coreRoutes } from '../core/router.js';
import { isCoreMethod } from '../core/service.js';
import type { Named, StrapiConfig, StrapiContext } from '../strapi.js';

/**
 * Identifies the routes that are handled as without code: core routes of a content type whose controller and service
 * are not overridden, and whose events are not observed.
 */
export function createIsPlain({
  strapi,
  models,
}: StrapiContext): (route: Named, prefix: string | undefined) => boolean {
  return ({ method, path, handler, config = {} }, prefix) => {
    if (typeof handler !== 'string' || prefix !== undefined) return false;
    const [, uid = '', action = ''] = /^(api::[^.]+\.[^.]+)\.([^.]+)$/.exec(handler) ?? [];
    const model = models.contentTypes[uid];
    if (model === undefined) return false;
    const core = coreRoutes(model)[action];
    if (core === undefined || core['method'] !== method || core['path'] !== path) return false;
    const { auth, policies, middlewares, ...others } = config as Named;
    const isUsual = auth?.scope?.length === 1 && auth.scope[0] === handler && Object.keys(auth as object).length === 1;
    if (!isUsual || policies?.length > 0 || middlewares?.length > 0 || Object.keys(others).length > 0) return false;
    const isCore = isCoreAction(strapi.controller(uid), action) && isCoreMethod(strapi.service(uid), action);
    return isCore && !strapi.db.lifecycles.isObserved(uid);
  };
}

/** Tells requests for these routes of the service. */
export function createMatches(
  routes: readonly Pick<Route, 'method' | 'path'>[],
): (path: string, method: string) => boolean {
  const router = new Router({ prefix: '/api' });
  for (const { method, path } of routes) router.register(path, [method], () => undefined);
  return (path, method) => router.match(path, method).route;
}

/**
 * Tells requests for content types of the project: without a route to them they are not found, as in Strapi v4. A list that is read as
 * without code can be counted.
 */
export function createIsShut(
  registry: Registry,
  config: StrapiConfig,
  isPlain: Offers,
): (path: string, method: string) => boolean {
  const resources = resourcesOf(registry);
  const prefix = String(config.get('api.rest.prefix', '/api'));
  return (path, method) => {
    if (!path.startsWith(`${prefix}/`)) return false;
    const [name = '', id, last, ...more] = path.slice(prefix.length + 1).split('/');
    const isPart = more.length === 0 && (last === undefined || last === 'localizations');
    const resource = isPart ? resources.get(name.toLowerCase()) : undefined;
    if (resource === undefined || (id !== undefined && resource.entry === undefined)) return false;
    const isCount = id?.toLowerCase() === 'count' && last === undefined && isRead({ method });
    return !isCount || !isPlain(resource.type, 'find');
  };
}
