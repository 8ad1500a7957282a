import type { Model, Named, Strapi } from '../strapi.js';

/** One route in the form of project code. */
export type RouteDefinition = Named;

/** Method, whether its path has an id, and action of Strapi v4's routes of a content type. */
const collectionRoutes = [
  ['GET', false, 'find'],
  ['GET', true, 'findOne'],
  ['POST', false, 'create'],
  ['PUT', true, 'update'],
  ['DELETE', true, 'delete'],
] as const;
const singleRoutes = [
  ['GET', false, 'find'],
  ['PUT', false, 'update'],
  ['DELETE', false, 'delete'],
] as const;

/** The routes of a content type, by action; `config` is the project's configuration of each. */
export function coreRoutes({ uid, kind, info }: Model, config: Named = {}): Named<RouteDefinition> {
  const single = kind === 'singleType';
  const path = `/${single ? info['singularName'] : info['pluralName']}`;
  return Object.fromEntries(
    (single ? singleRoutes : collectionRoutes).map(([method, hasId, action]) => [
      action,
      { method, path: hasId ? `${path}/:id` : path, handler: `${uid}.${action}`, config: { ...config[action] } },
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
