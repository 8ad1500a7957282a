import { isLocalized } from '../../content-types/model/localized.js';
import type { Model, Named, Strapi, StrapiContext } from '../strapi.js';

const localeUid = 'plugin::i18n.locale';

const withoutDefault = ({ isDefault: _isDefault, ...locale }: Named): Named => locale;

/** The services of i18n, as project code calls them. */
export const localeServices = ({ runtime }: StrapiContext): Named<(parts: { readonly strapi: Strapi }) => Named> => ({
  locales: ({ strapi }) => {
    const query = (): Named => strapi.query(localeUid) as Named;
    const all = async (params: Named = {}): Promise<Named[]> => query()['findMany'](params);
    const first = async (where: Named): Promise<Named | null> => (await all({ where })).map(withoutDefault)[0] ?? null;
    return {
      find: async (params?: Named) => (await all(params)).map(withoutDefault),
      findById: async (id: unknown) => first({ id }),
      findByCode: async (code: unknown) => first({ code }),
      count: async (params?: Named) => query()['count']({ where: params }),
      create: async (data: Named) => query()['create']({ data }),
      update: async (where: Named, data: Named) => query()['update']({ where, data }),
      delete: async ({ id }: Named) => query()['delete']({ where: { id: id as unknown } }),
      getDefaultLocale: async () => (await all()).find((locale) => locale['isDefault'] === true)?.['code'] as unknown,
      setIsDefault: async (locales: Named | readonly Named[] | null) => {
        if (locales === null) return locales;
        const code = await strapi.plugin('i18n')?.service('locales').getDefaultLocale();
        const mark = (locale: Named): Named => ({ ...locale, isDefault: locale['code'] === code });
        return Array.isArray(locales) ? locales.map(mark) : mark(locales);
      },
    };
  },
  'content-types': () => ({
    isLocalizedContentType: ({ uid }: Model) => {
      const type = runtime('the service content-types of i18n').registry.contentTypes.get(uid);
      return type !== undefined && isLocalized(type);
    },
  }),
});
