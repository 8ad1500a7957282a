import { coreRoutesOf } from '../../plugins/contract/content-type-routes.js';
import type { Model, Named, Strapi } from '../strapi.js';

/** One route in the form of project code. */
export type RouteDefinition = Named;

/** The routes of a content type, by action; `config` is the project's configuration of each. */
export function coreRoutes({ uid, kind, info }: Model, config: Named = {}): Named<RouteDefinition> {
  const single = kind === 'singleType';
  const path = `/${single ? info['singularName'] : info['pluralName']}`;
  return Object.fromEntries(
    coreRoutesOf(single ? 'singleType' : 'collectionType').map(({ method, path: rest, action }) => [
      action,
      { method, path: path + rest, handler: `${uid}.${action}`, config: { ...config[action] } },
    ]),
  );
}

/** `createCoreRouter`: the routes are created on first use, because content types do not exist before. */
export const createCoreRouter =
  (strapi: Strapi) =>
  (uid: string, { prefix, config = {}, only, except, type = 'content-api' }: Named = {}): Named => {
    let routes: readonly RouteDefinition[] | undefined;
    const make = (): readonly RouteDefinition[] => {
      const model = strapi.contentType(uid);
      if (model === undefined) throw new Error(`createCoreRouter: unknown content type "${uid}"`);
      return Object.entries(coreRoutes(model, config))
        .filter(([action]) => (only === undefined || only.includes(action)) && !except?.includes(action))
        .map(([, route]) => route);
    };
    return {
      type,
      prefix,
      get routes() {
        routes ??= make();
        return routes;
      },
    };
  };
