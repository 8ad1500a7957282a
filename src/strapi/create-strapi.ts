import { AsyncLocalStorage } from 'node:async_hooks';
import path from 'node:path';
import type { Context } from 'koa';
import type { Config } from '../config/config.js';
import { absentServicesOf, withAbsent } from './absent-members.js';
import { strictProxy } from '../plugins/contract/strict-proxy.js';
import { createDatabase } from './query-engine/database.js';
import { createReads } from './query-engine/reads.js';
import { createEntityService, createEntityValidator } from './entity-service/entity-service.js';
import { forms, type Form } from './forms.js';
import { createFactories } from './core/factories.js';
import { createLifecycles } from './query-engine/lifecycles.js';
import { addFinders, createModule, createRegistry, type Registries } from './registries/registry.js';
import { createConfig } from './registries/default-settings.js';
import { panelPartsOf } from './project/panel-parts.js';
import { adminServices, noOpProperties } from './services/no-op-services.js';
import { createAuth, type Strategy } from './services/auth.js';
import { createCron } from './services/cron.js';
import { createGuardRegistry, createKeepsOwn } from './services/guards.js';
import { createContainer } from './services/container.js';
import { createEventHub } from './services/event-hub.js';
import { createWebhookServices } from './services/webhooks.js';
import { createStoreOf, createStoreRows } from './services/store.js';
import type {
  Anything,
  Models,
  Named,
  Runtime,
  Strapi,
  StrapiConfig,
  StrapiContext,
  StrapiLog,
  StrapiModule,
} from './strapi.js';
import { createUtils } from './utilities/create-utilities.js';

/** The request in which code runs. */
const requests = new AsyncLocalStorage<Context>();

/** The inputs of the object before there is a database. */
interface StrapiParts {
  readonly models: Models;
  readonly settings: Named;
  readonly log: StrapiLog;
  /** That of the service. */
  readonly serviceConfig: Config;
  readonly server: object;
}

/** The `strapi` object, and the registries that fill it. */
export interface CreatedStrapi {
  readonly context: StrapiContext;
  readonly registries: Registries;
  readonly factories: Named;
  readonly form: Form;
  /** Types of custom fields that code registered, by name. */
  readonly customFields: ReadonlyMap<string, string>;
  /** Authentication strategies that code registered. */
  readonly strategies: readonly Strategy[];
  addModule(kind: 'api' | 'plugin', name: string, routes: () => Anything): StrapiModule;
  /** Provides the database. */
  attach(runtime: Omit<Runtime, 'audience' | 'codeForm'>): void;
}

/** Unknown members throw an error with their name; `strapi.db.connection` has its own message. */
export function createStrapi(parts: StrapiParts): CreatedStrapi {
  const { models, log, settings, serviceConfig } = parts;
  const strapi = {} as Strapi;
  const form = forms[serviceConfig.strapi.major];
  const config = createConfig(settings);
  const registries = createRegistries(strapi, models);
  let attached: Runtime | undefined;
  const runtime: StrapiContext['runtime'] = (wants) => {
    if (attached !== undefined) return attached;
    throw new Error(`${wants} is not available before bootstrap`);
  };
  const utils = createUtils(strapi, serviceConfig.variables, runtime, form.ids);
  const context: StrapiContext = { models, log, config, strapi, utils, runtime };
  const modules: Readonly<Record<'api' | 'plugin', Named<StrapiModule>>> = { api: {}, plugin: {} };
  const customFields = new Map<string, string>();
  const keepsOwn = createKeepsOwn(serviceConfig.folders.contentTypes);
  const { auth, strategies } = createAuth(log, keepsOwn);
  // Strapi v4's own are part of the service.
  const sanitizers = createGuardRegistry(() => keepsOwn('sanitizer'));
  const validators = createGuardRegistry(() => undefined);
  const { contentTypes, ...kinds } = registries;
  addFinders(strapi, registries, '');
  addQueries(context, serviceConfig);
  addAdmin(context, registries);
  Object.assign(strapi, {
    components: models.components,
    getModel: (uid: string) => contentTypes.get(uid) ?? models.components[uid],
    config,
    log,
    api: modules.api,
    apis: modules.api,
    plugins: modules.plugin,
    plugin: (name: string) => modules.plugin[name],
    customFields: { register: (fields: Anything) => fieldRegistry(customFields).add(fields) },
    server: parts.server,
    requestContext: { run: requests.run.bind(requests), get: () => requests.getStore() },
    ...noOpProperties(),
    ...createWebhookServices(context),
    auth,
    sanitizers,
    validators,
    container: createContainer(
      {
        'content-types': contentTypes,
        ...kinds,
        config,
        apis: moduleRegistry('apis', modules.api),
        plugins: moduleRegistry('plugins', modules.plugin),
        'custom-fields': fieldRegistry(customFields),
        auth,
        sanitizers,
        validators,
      },
      strapi,
    ),
    eventHub: createEventHub(
      (error) => log.error(error),
      // Before the service has started there are no webhooks.
      async (event, info) => attached?.plugins.storage.events.ofCode?.record(event, info),
    ),
    errors: utils['errors'] as Named,
    utils,
    store: createStoreOf(context, serviceConfig),
    cron: createCron(context),
    fetch: (url: string, options?: object) => fetch(url, options),
    ...surroundings(parts, config),
  });
  withAbsent('strapi', strapi);
  form.complete?.(context);
  return {
    context,
    registries,
    form,
    factories: createFactories(context, form),
    customFields,
    strategies,
    addModule: (kind, name, routes) =>
      (modules[kind][name] = createModule(`${kind}::${name}`, registries, config, routes)),
    attach: (running) => {
      attached = { ...running, ...form.runtimeOf(running.plugins) };
      strapi['isLoaded'] = true;
    },
  };
}

function createRegistries(strapi: Strapi, models: Models): Registries {
  const instance = (thing: unknown): unknown => (typeof thing === 'function' ? thing({ strapi }) : thing);
  const contentTypes = createRegistry('Content type');
  for (const [uid, model] of Object.entries(models.contentTypes)) contentTypes.set(uid, model);
  return {
    services: createRegistry('Service', instance),
    controllers: createRegistry('Controller', instance),
    policies: createRegistry('Policy'),
    middlewares: createRegistry('Middleware'),
    contentTypes,
  };
}

/** `strapi.db`, `strapi.query` and `strapi.entityService`. */
function addQueries(context: StrapiContext, config: Config): void {
  const lifecycles = createLifecycles(
    (uid) => context.strapi.contentType(uid),
    async (uid, id) => createReads(uid, context.runtime('lifecycles')).first({ where: { id } }),
  );
  const db = createDatabase(context, lifecycles, createStoreRows(context, config));
  Object.assign(context.strapi, {
    entityService: createEntityService(context, lifecycles),
    entityValidator: createEntityValidator(context),
    db,
    query: (uid: string) => db.query(uid),
  });
}

/** `strapi.admin`, which has services only. */
function addAdmin(context: StrapiContext, { services, controllers, policies, middlewares }: Registries): void {
  const admin = adminServices(context);
  const panel = panelPartsOf('admin');
  services.add('admin::', { ...absentServicesOf('admin::'), ...admin });
  controllers.add('admin::', panel.controllers);
  policies.add('admin::', {
    ...panel.policies,
    // Of every caller who is not the public, as in Strapi v4.
    isAuthenticatedAdmin: ({ state }: Named) => Boolean(state['isAuthenticated']),
    isTelemetryEnabled: () => false,
  });
  middlewares.add('admin::', panel.middlewares);
  Object.assign(context.strapi, {
    admin: strictProxy('strapi.admin', { services: strictProxy('strapi.admin.services', admin) }),
  });
}

/** Where the project is, and with which features it runs. */
const surroundings = ({ serviceConfig, settings }: StrapiParts, config: StrapiConfig): Named => ({
  dirs: foldersOf(serviceConfig.folders.contentTypes),
  EE: false,
  features: {
    config: (settings['features'] ?? {}) as Named,
    future: { isEnabled: (name: string) => config.get(`features.future.${name}`) === true },
  },
});

const folders = ['api', 'components', 'extensions', 'policies', 'middlewares'];

/** `strapi.dirs`: TypeScript runs from the sources, so `dist` folders equal the source folders. */
function foldersOf(root: string): Named {
  const src = path.join(root, 'src');
  const inside = Object.fromEntries(folders.map((name) => [name, path.join(src, name)]));
  const app = { root, src, ...inside, config: path.join(root, 'config') };
  return { app, dist: app, static: { public: path.join(root, 'public') } };
}

/** `strapi.container.get('plugins')`, and `apis`. */
const moduleRegistry = (name: 'plugins' | 'apis', modules: Named<StrapiModule>): object =>
  withAbsent(`strapi.container.get('${name}')`, {
    get: (name: string) => modules[name],
    getAll: () => modules,
  });

/**
 * Custom fields that code registered: one of the project is called `global::<name>`, one of a plugin
 * `plugin::<plugin>.<name>`.
 */
const fieldRegistry = (types: Map<string, string>) => {
  const described = (uid: string): Named | undefined => {
    const type = types.get(uid);
    return type === undefined ? undefined : { name: uid.replace(/^.*[:.]/, ''), type };
  };
  return {
    get: described,
    getAll: () => Object.fromEntries([...types.keys()].map((uid) => [uid, described(uid)])),
    add: (fields: Anything) => {
      for (const { name, plugin, type } of [fields].flat() as { name: string; plugin?: string; type: string }[]) {
        types.set(plugin === undefined ? `global::${name}` : `plugin::${plugin}.${name}`, type);
      }
    },
  };
};
