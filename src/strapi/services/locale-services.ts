import lodash from 'lodash';
import { isAbsent, isRecord } from '../../config/record.js';
import { errors } from '../utilities/errors.js';
import { isoLocales } from './iso-locales.js';
import type { Model, Named, Strapi, StrapiContext } from '../strapi.js';

const localeUid = 'plugin::i18n.locale';

const withoutDefault = ({ isDefault: _isDefault, ...locale }: Named): Named => locale;
const ifAny = (locale: Named | null): Named | null => locale && withoutDefault(locale);

/** The services of i18n, for project code. */
export const localeServices = ({ strapi, utils }: StrapiContext): Named<() => Named> => ({
  locales: () => {
    const query = (): Named => strapi.query(localeUid) as Named;
    const all = async (params: Named = {}): Promise<Named[]> => query()['findMany'](params);
    const first = async (where: Named): Promise<Named | null> => ifAny((await all({ where }))[0] ?? null);
    return {
      find: async (where: Named = {}) => (await all({ where })).map(withoutDefault),
      findById: async (id: unknown) => first({ id }),
      findByCode: async (code: unknown) => first({ code }),
      count: async (params?: Named) => query()['count']({ where: params }),
      create: async (data: Named) => ifAny(await query()['create']({ data })),
      update: async (where: Named, data: Named) => ifAny(await query()['update']({ where, data })),
      delete: async ({ id }: Named) => ifAny(await query()['delete']({ where: { id: id as unknown } })),
      getDefaultLocale: async () => (await all()).find((locale) => locale['isDefault'] === true)?.['code'] as unknown,
      setIsDefault: async (locales: Named | readonly Named[] | null) => {
        if (locales === null) return locales;
        const code = await strapi.plugin('i18n')?.service('locales').getDefaultLocale();
        const mark = (locale: Named): Named => ({ ...locale, isDefault: locale['code'] === code });
        return Array.isArray(locales) ? locales.map(mark) : mark(locales);
      },
    };
  },
  'content-types': () => localizedTypesService(strapi, utils['contentTypes'] as Named),
  'core-api': () => localizationService(strapi, utils),
  'iso-locales': () => ({ getIsoLocales: isoLocales }),
});

/** The service `content-types` of i18n: which attributes localizations share. */
function localizedTypesService(strapi: Strapi, { getVisibleAttributes }: Named): Named {
  const isLocalized = (part: unknown): boolean => lodash.get(part, 'pluginOptions.i18n.localized') === true;
  const isOwn = (name: string, { attributes }: Model): boolean =>
    isLocalized(attributes[name]) || ['relation', 'uid'].includes(String(attributes[name]?.['type']));
  const visible = (model: Model): readonly string[] => getVisibleAttributes(model) as readonly string[];
  const getNonLocalizedAttributes = (model: Model) => visible(model).filter((name) => !isOwn(name, model));
  /** The ids of components belong to their entry. */
  const withoutIds = (value: unknown, model: Model | undefined): unknown => {
    if (Array.isArray(value)) return value.map((part) => withoutIds(part, model));
    if (!isRecord(value)) return value;
    const { __component: component } = value;
    const own = typeof component === 'string' ? strapi.components[component] : model;
    return lodash.mapValues(lodash.omit(value, 'id'), (part, name) => {
      const { type, component: uid } = own?.attributes[name] ?? {};
      return type === 'component' || type === 'dynamiczone' ? withoutIds(part, strapi.components[String(uid)]) : part;
    });
  };
  const copyNonLocalizedAttributes = (model: Model, entry: Named) =>
    withoutIds(lodash.pick(entry, getNonLocalizedAttributes(model)), model) as Named;
  return {
    isLocalizedContentType: isLocalized,
    getNonLocalizedAttributes,
    getLocalizedAttributes: (model: Model) => visible(model).filter((name) => isOwn(name, model)),
    copyNonLocalizedAttributes,
    /** Gives the values that an entry lacks from another of its group. */
    fillNonLocalizedAttributes: (entry: Named, related: Named | null | undefined, { model: uid }: Named<string>) => {
      const model = strapi.getModel(String(uid));
      if (isAbsent(related) || model === undefined) return;
      for (const [name, value] of Object.entries(copyNonLocalizedAttributes(model, related)))
        if (isAbsent(entry[name])) entry[name] = value as unknown;
    },
    getValidLocale: async (code?: string | null) => {
      const locales = strapi.plugin('i18n')?.service('locales') as Named;
      if (isAbsent(code)) return locales['getDefaultLocale']() as unknown;
      if ((await locales['findByCode'](code)) === null) throw new errors.ApplicationError('Locale not found');
      return code;
    },
  };
}

const placed = ['locale', 'localizations'];

/** The service `core-api` of i18n: what creates localizations for resolvers of code, after its own checks of rights. */
const localizationService = (strapi: Strapi, utils: Named): Named => ({
  /**
   * The function that creates a localization of an entry, a draft with the shared values of the entry, and returns it
   * without private attributes.
   */
  createCreateLocalizationHandler:
    (model: Model) =>
    async ({ id, data = {}, files = {} }: Named = {}): Promise<unknown> => {
      const where = model.kind === 'singleType' ? {} : { where: { id: id as unknown } };
      const entry = (await strapi.query(model.uid).findOne({ ...where, populate: ['localizations'] })) as Named | null;
      if (entry === null) throw new errors.NotFoundError();
      const { locale } = data as Named;
      if (isAbsent(locale)) throw new errors.ApplicationError('locale is missing');
      const i18n = strapi.plugin('i18n');
      if ((await i18n?.service('locales').findByCode(locale)) === null)
        throw new errors.ApplicationError('locale is invalid');
      const group = [entry, ...(entry['localizations'] as readonly Named[])];
      if (group.some((one) => one['locale'] === locale)) throw new errors.ApplicationError('locale is already used');
      const writable = lodash.difference(utils['contentTypes'].getWritableAttributes(model) as string[], placed);
      const created: unknown = await strapi.entityService.create(model.uid, {
        data: {
          ...i18n?.service('content-types').copyNonLocalizedAttributes(model, entry),
          ...lodash.pick(data as Named, writable),
          locale: locale as unknown,
          localizations: group.map((one) => one['id'] as unknown),
        },
        files: lodash.pickBy(files as Named, (_file, field) => writable.includes(String(lodash.toPath(field)[0]))),
        populate: ['localizations'],
      });
      return utils['sanitize'].contentAPI.output(created, strapi.getModel(model.uid)) as unknown;
    },
});
