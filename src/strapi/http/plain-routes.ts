import { isCore } from '../core/controller.js';
import { coreRoutes } from '../core/factories.js';
import type { Named, StrapiContext } from '../strapi.js';

/** The action of a route that is handled as without code; undefined: code handles it. */
export type PlainActionOf = (route: Named, prefix: string | undefined) => string | undefined;

/**
 * Identifies the routes that are handled as without code: core routes of a content type whose controller and service
 * are not overridden, and whose events are not observed.
 */
export function createPlainActionOf({ strapi, models }: StrapiContext): PlainActionOf {
  return ({ method, path, handler, config = {} }, prefix) => {
    if (typeof handler !== 'string' || prefix !== undefined) return undefined;
    const [, uid = '', action = ''] = /^(api::[^.]+\.[^.]+)\.([^.]+)$/.exec(handler) ?? [];
    const model = models.contentTypes[uid];
    if (model === undefined) return undefined;
    const core = coreRoutes(model)[action];
    if (core === undefined || core['method'] !== method || core['path'] !== path) return undefined;
    const { auth, policies, middlewares, ...others } = config as Named;
    const isUsual = auth?.scope?.length === 1 && auth.scope[0] === handler && Object.keys(auth as object).length === 1;
    if (!isUsual || policies?.length > 0 || middlewares?.length > 0 || Object.keys(others).length > 0) return undefined;
    const isPlain = isCore({ strapi }, { uid, kind: model.kind ?? 'collectionType' }, action);
    return isPlain && !strapi.db.lifecycles.isObserved(uid) ? handler : undefined;
  };
}
