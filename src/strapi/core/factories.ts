import type { Model, Named, Strapi, StrapiContext } from '../strapi.js';
import { createController } from './controller.js';
import { createCoreRouter } from './router.js';
import { createService } from './service.js';

type Factory = (parts: { readonly strapi: Strapi }) => Named;
type Configuration = Named | ((parts: { readonly strapi: Strapi }) => Named) | undefined;

/** The project's methods, completed with those of the core, which is their `super`. */
function extend(core: Named, configuration: Configuration, strapi: Strapi): Named {
  const own = (typeof configuration === 'function' ? configuration({ strapi }) : configuration) ?? {};
  for (const method of Object.keys(core)) own[method] ??= core[method];
  Object.setPrototypeOf(own, core);
  return own;
}

function modelOf(strapi: Strapi, uid: string): () => Model {
  const find = (): Model => {
    const model = strapi.contentType(uid);
    if (model === undefined) throw new Error(`unknown content type "${uid}"`);
    return model;
  };
  find();
  return find;
}

/** The `factories` of `@strapi/strapi`. */
export const createFactories = (context: StrapiContext): Named => {
  const { strapi } = context;
  return {
    createCoreController:
      (uid: string, configuration?: Configuration): Factory =>
      () =>
        extend(createController(context, modelOf(strapi, uid)), configuration, strapi),
    createCoreService:
      (uid: string, configuration?: Configuration): Factory =>
      () =>
        extend(createService(strapi, modelOf(strapi, uid)), configuration, strapi),
    createCoreRouter: createCoreRouter(strapi),
  };
};
