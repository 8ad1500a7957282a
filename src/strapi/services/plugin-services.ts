import type { Plugin } from '../../plugins/contract/plugin.js';
import type { Named, Strapi, StrapiContext } from '../strapi.js';
import { createCallRoute } from './call-route.js';
import { emailServices } from './email-services.js';
import { localeServices } from './locale-services.js';
import { usersServices } from './users-services.js';

type Services = Named<(parts: { readonly strapi: Strapi }) => Named>;

const fileUid = 'plugin::upload.file';

/** The service `upload` of the media library: reads by the entity service, writes by the plugin. */
const uploadServices = (writes: object): Services => ({
  upload: ({ strapi }) => {
    const read = (method: string) => async (params?: Named) => strapi.entityService[method]?.(fileUid, params);
    return {
      findOne: async (id: unknown, populate?: unknown) => strapi.entityService['findOne']?.(fileUid, id, { populate }),
      findMany: read('findMany'),
      findPage: read('findPage'),
      ...writes,
    };
  },
});

/**
 * Services of Strapi v4's plugins that the service has in another form, by plugin.
 * @param plugins those of the service
 */
export const pluginServices = (context: StrapiContext, plugins: readonly Plugin[]): Named<Services> => ({
  'users-permissions': usersServices(context, createCallRoute(context)),
  i18n: localeServices(context),
  upload: uploadServices(plugins.find(({ name }) => name === 'upload')?.services?.['upload'] ?? {}),
  email: emailServices(context),
});
