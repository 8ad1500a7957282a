import lodash from 'lodash';
import type { BuiltInPlugin } from '../../plugins/contract/built-in.js';
import type { Mail, Route } from '../../plugins/contract/plugin.js';
import { FILE } from '../../plugins/upload/definitions.js';
import { CLIENT } from '../../plugins/contract/application.js';
import { strictProxy } from '../../plugins/contract/strict-proxy.js';
import type { Named, Strapi, StrapiContext, Model } from '../strapi.js';
import { absentServicesOf, serviceCall, withAbsent } from '../absent-members.js';
import { localeServices } from './locale-services.js';
import { markGuarded } from './guarded-members.js';
import { uidService } from './uid-service.js';
import { usersServices } from './users-services.js';
import { fillTemplate } from './fill-template.js';
import { formatFileInfo } from './format-file-info.js';

type Services = Named<() => Named>;

/** What Strapi v4 stores for the plugin upload. */
const storeOf = (strapi: Strapi): Named =>
  (strapi['store'] as (defaults: Named) => Named)({ type: 'plugin', name: 'upload' });
const storedOf = async (strapi: Strapi, key: string): Promise<unknown> => storeOf(strapi)['get']({ key });

/** The service `upload` of the media library: reads by the entity service, writes by the plugin. */
const uploadServices = ({ strapi, utils }: StrapiContext, writes: Named): Services => ({
  provider: () => {
    const provider = (): Named => (strapi.plugin('upload') as Named)['provider'] as Named;
    return {
      checkFileSize: async (file: Named) => {
        const { sizeLimit } = strapi.config.get('plugin.upload', {}) as Named;
        await provider()['checkFileSize'](file, { sizeLimit });
      },
      /** Stores what `getStream` of a file gives. */
      upload: async (file: Named) => {
        const { uploadStream, upload } = provider();
        const isStream = typeof uploadStream === 'function';
        const content: unknown = file['getStream']();
        const part = isStream ? 'stream' : 'buffer';
        file[part] = isStream ? content : await utils['file'].streamToBuffer(content);
        await (isStream ? uploadStream : upload)(file);
        delete file[part];
        delete file['filepath'];
      },
    };
  },
  upload: () => ({
    formatFileInfo: formatFileInfo(strapi),
    findOne: async (id: unknown, populate?: unknown) => strapi.entityService.findOne(FILE, id, { populate }),
    findMany: async (params?: Named) => strapi.entityService.findMany(FILE, params),
    findPage: async (params?: Named) => strapi.entityService.findPage(FILE, params),
    getSettings: async () => storedOf(strapi, 'settings'),
    /** Tells that settings of the service come from elsewhere. */
    setSettings: async (value: unknown) => storeOf(strapi)['set']({ key: 'settings', value }),
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
