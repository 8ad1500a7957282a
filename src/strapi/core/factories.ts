import type { Model, Named, Strapi, StrapiContext } from '../strapi.js';
import { coreRoutesOf } from '../../plugins/contract/content-type-routes.js';

/** What makes the core's parts for a content type, in the form of the project. */
export interface CoreFactories {
  readonly createController: (context: StrapiContext, uid: string) => Named;
  readonly createService: (strapi: Strapi, uid: string) => Named;
  /** A service of code has the core's methods of its own, and not from its prototype. */
  readonly hasOwnMethods: boolean;
}

type Factory = (parts: { readonly strapi: Strapi }) => Named;
type Configuration = Named | Factory | undefined;

/** The project's methods, completed with those of the core, which is their `super`. */
function extend(core: Named, configuration: Configuration, strapi: Strapi, hasOwnMethods = true): Named {
  const own = (typeof configuration === 'function' ? configuration({ strapi }) : configuration) ?? {};
  for (const method of hasOwnMethods ? Object.keys(core) : ['contentType']) own[method] ??= core[method];
  Object.setPrototypeOf(own, core);
  return own;
}

/** The `factories` of `@strapi/strapi`. */
export const createFactories = (
  context: StrapiContext,
  { createController, createService, hasOwnMethods }: CoreFactories,
): Named => {
  const { strapi } = context;
  return {
    createCoreController:
      (uid: string, configuration?: Configuration): Factory =>
      () =>
        extend(createController(context, uid), configuration, strapi),
    createCoreService:
      (uid: string, configuration?: Configuration): Factory =>
      () =>
        extend(createService(strapi, uid), configuration, strapi, hasOwnMethods),
    createCoreRouter: createCoreRouter(strapi),
  };
};

/** The routes of a content type, by action; `config` is the project's configuration of each. */
export function coreRoutes({ uid, kind, info }: Model, config: Named = {}): Named<Named> {
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
const createCoreRouter =
  (strapi: Strapi) =>
  (uid: string, { prefix, config = {}, only, except, type = 'content-api' }: Named = {}): Named => {
    let routes: readonly Named[] | undefined;
    const make = (): readonly Named[] => {
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
