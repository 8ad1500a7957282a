import { system } from '../../documents/caller.js';
import type { Mail } from '../../plugins/contract/plugin.js';
import type { Named, Strapi, StrapiContext } from '../strapi.js';
import { usersServices } from './users-services.js';

type Services = Named<(parts: { readonly strapi: Strapi }) => Named>;

const fileUid = 'plugin::upload.file';
const localeUid = 'plugin::i18n.locale';

const withoutDefault = ({ isDefault: _isDefault, ...locale }: Named): Named => locale;

/** The service `locales` of i18n. */
const localeServices: Services = {
  locales: ({ strapi }) => {
    const all = async (params: Named = {}): Promise<Named[]> => strapi.query(localeUid).findMany(params);
    return {
      find: async (params?: Named) => (await all(params)).map(withoutDefault),
      findById: async (id: unknown) => (await all({ where: { id } })).map(withoutDefault)[0] ?? null,
      findByCode: async (code: unknown) => (await all({ where: { code } })).map(withoutDefault)[0] ?? null,
      count: async () => (await all()).length,
      getDefaultLocale: async () => (await all()).find((locale) => locale['isDefault'] === true)?.['code'] as unknown,
    };
  },
};

/** The service `upload` of the media library: what is known of files. */
const uploadServices = ({ runtime }: StrapiContext): Services => ({
  upload: ({ strapi }) => ({
    findOne: async (id: unknown, populate?: unknown) => strapi.entityService['findOne']?.(fileUid, id, { populate }),
    findMany: async (params?: Named) => strapi.entityService['findMany']?.(fileUid, params),
    findPage: async (params?: Named) => strapi.entityService['findPage']?.(fileUid, params),
    remove: async (file: Named) => {
      const { routes } = runtime('the service upload').plugins;
      const route = routes.find(({ action }) => action === 'plugin::upload.content-api.destroy');
      await route?.handle({ ...nobodyAsks, caller: system, params: { id: String(file['id']) } });
      return file;
    },
  }),
});

/** A request that code makes itself. */
const nobodyAsks = { query: {}, body: undefined, files: undefined, address: '', message: undefined as never };

/** The service `email`. */
const emailServices = ({ runtime }: StrapiContext): Services => ({
  email: () => ({
    send: async (mail: Named) => {
      await runtime('the service email').plugins.mailer.send(mail as Mail);
    },
  }),
});

/** Services of Strapi v4's plugins that the service has in another form, by plugin. */
export const pluginServices = (context: StrapiContext): Named<Services> => ({
  'users-permissions': usersServices(context),
  i18n: localeServices,
  upload: uploadServices(context),
  email: emailServices(context),
});
