import lodash from 'lodash';
import { isAbsent, isRecord } from '../../config/record.js';
import type { BuiltInPlugin } from '../../plugins/contract/built-in.js';
import type { Mail, Route } from '../../plugins/contract/plugin.js';
import { FILE } from '../../plugins/upload/definitions.js';
import { CLIENT } from '../../plugins/contract/application.js';
import { strictProxy } from '../../plugins/contract/strict-proxy.js';
import type { Named, Strapi, StrapiContext, Model } from '../strapi.js';
import { absentServicesOf, serviceCall, withAbsent } from '../absent-members.js';
import { errors } from '../utilities/errors.js';
import { markGuarded } from './guarded-members.js';
import { uidService } from './uid-service.js';
import { usersServices } from './users-services.js';
import { fillTemplate } from './fill-template.js';
import { formatFileInfo } from './format-file-info.js';

type Services = Named<() => Named>;

/** What Strapi v4 stores for the plugin upload. */
const storedOf = async (strapi: Strapi, key: string): Promise<unknown> =>
  (strapi['store'] as Named)['get']({ type: 'plugin', name: 'upload', key });

/** The service `upload` of the media library: reads by the entity service, writes by the plugin. */
const uploadServices = ({ strapi, utils }: StrapiContext, writes: Named): Services => ({
  upload: () => ({
    formatFileInfo: formatFileInfo(strapi),
    findOne: async (id: unknown, populate?: unknown) => strapi.entityService.findOne(FILE, id, { populate }),
    findMany: async (params?: Named) => strapi.entityService.findMany(FILE, params),
    findPage: async (params?: Named) => strapi.entityService.findPage(FILE, params),
    getSettings: async () => storedOf(strapi, 'settings'),
    getConfiguration: async () => storedOf(strapi, 'view_configuration'),
    /** Tells of a file as an upload does. */
    emitEvent: async (event: string, file: unknown) => {
      const media: unknown = await utils['sanitize'].sanitizers.defaultSanitizeOutput(strapi.getModel(FILE), file);
      void strapi.eventHub.emit(event, { media });
    },
    ...writes,
    /** Uploads files into a media field of an entry. */
    uploadToEntity: async ({ id, model: ref, field }: Named, files: unknown) => {
      await writes['upload']({ data: { refId: id as unknown, ref: ref as unknown, field: field as unknown }, files });
    },
  }),
});

/**
 * Counterparts of the services of Strapi v4's plugins, by plugin.
 * @param plugins the plugins of the service
 */
export function pluginServices(context: StrapiContext, plugins: readonly BuiltInPlugin[]): Named<Services> {
  const servicesOf = (plugin: string): Named => plugins.find(({ name }) => name === plugin)?.services ?? {};
  const all: Named<Services> = {
    'users-permissions': usersServices(context),
    i18n: localeServices(context),
    upload: uploadServices(context, servicesOf('upload')['upload'] ?? {}),
    email: emailServices(context),
    graphql: graphqlServices(context, servicesOf('graphql')['builders']),
    'content-type-builder': {},
    'content-manager': { uid: () => uidService(context) },
  };
  return lodash.mapValues(all, (services, plugin) => ({
    ...absentServicesOf(`plugin::${plugin}`),
    ...lodash.mapValues(
      services,
      (make, name) => () =>
        markGuarded(`plugin::${plugin}.${name}`, withAbsent(serviceCall(`plugin::${plugin}`, name), make())),
    ),
  }));
}

/** The service `builders`, with those of `content-api` that resolvers of the project call. */
const graphqlServices = ({ utils, strapi }: StrapiContext, builders: Named): Services => {
  const queryOf = async (args: Named, model: Model, context?: Named): Promise<Named> => {
    const options = { auth: context?.['state']?.auth as unknown };
    await utils['validate'].contentAPI.query(args, model, options);
    return utils['sanitize'].contentAPI.query(args, model, options);
  };
  /** Names the client, as the generated resolvers do: drafts that are hidden from it do not exist. */
  const forClient = (params: Named, context?: Named): Named => ({
    ...params,
    [CLIENT]: context?.['caller'] as unknown,
  });
  const contentApi = strictProxy("builders.get('content-api')", {
    buildQueriesResolvers: ({ contentType: model }: { readonly contentType: Model }) => ({
      find: async (_: unknown, args: Named, context?: Named) =>
        strapi.entityService.findMany(model.uid, forClient(await queryOf(args, model, context), context)),
      findOne: async (_: unknown, { id, ...args }: Named, context?: Named) =>
        strapi.entityService.findOne(model.uid, id, forClient(await queryOf(args, model, context), context)),
    }),
    buildMutationsResolvers: ({ contentType: { uid } }: { readonly contentType: Model }) => ({
      create: async (_: unknown, { data, files }: Named, context?: Named) =>
        strapi.entityService.create(uid, forClient({ data, files }, context)),
      update: async (_: unknown, { id, data }: Named, context?: Named) =>
        strapi.entityService.update(uid, id, forClient({ data }, context)),
      delete: async (_: unknown, { id, ...params }: Named, context?: Named) =>
        strapi.entityService.delete(uid, id, forClient(params, context)),
    }),
  });
  return {
    builders: () =>
      strictProxy(serviceCall('plugin::graphql', 'builders'), {
        ...builders,
        get: (name: string) => (name === 'content-api' ? contentApi : undefined),
      }),
  };
};

const localeUid = 'plugin::i18n.locale';

const withoutDefault = ({ isDefault: _isDefault, ...locale }: Named): Named => locale;
const ifAny = (locale: Named | null): Named | null => locale && withoutDefault(locale);

/** The services of i18n, for project code. */
const localeServices = ({ strapi, utils }: StrapiContext): Services => ({
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

const parts = ['subject', 'text', 'html'] as const;

/** The route of the plugin email: it sends the mail of the body. */
export const sendMailRoute = (strapi: Strapi): Route => ({
  method: 'POST',
  path: '/email',
  action: 'plugin::email.email.send',
  handle: async ({ body }) => {
    await strapi.plugin('email')?.service('email').send(body);
    return { body: {} };
  },
});

/** `strapi.plugin('email').provider`. */
export const emailProvider = ({ runtime }: StrapiContext): Named => ({
  send: async (mail: Named): Promise<void> => {
    await runtime('the provider of email').plugins.mailer.send(mail as Mail);
  },
});

/** The service of the plugin email, for project code. */
const emailServices = (context: StrapiContext): Services => ({
  email: () => {
    const { strapi } = context;
    const { send } = emailProvider(context);
    return {
      send,
      getProviderSettings: () => strapi.config.get('plugin.email'),
      /** @throws Error for a template that lacks a part */
      sendTemplatedEmail: async (mail: Named, template: Named<string>, data: Named = {}) => {
        const missing = parts.filter((part) => !Object.hasOwn(template, part));
        if (missing.length > 0) {
          throw new Error(`Following attributes are missing from your email template : ${missing.join(', ')}`);
        }
        const filled = parts.map((part) => [part, fillTemplate(template[part] ?? '', data)] as const);
        await send({ ...mail, ...Object.fromEntries(filled.filter(([, text]) => text !== '')) });
      },
    };
  },
});
