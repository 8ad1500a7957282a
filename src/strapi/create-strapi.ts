import { AsyncLocalStorage } from 'node:async_hooks';
import path from 'node:path';
import type { Context } from 'koa';
import { absentServicesOf, withAbsent } from './absent-members.js';
import { strictProxy } from '../plugins/contract/strict-proxy.js';
import { createDatabase } from './query-engine/database.js';
import { createEntityService, createEntityValidator } from './entity-service/entity-service.js';
import { createFactories } from './core/factories.js';
import { createLifecycles } from './lifecycles/lifecycles.js';
import { createModule, type Registries } from './registries/modules.js';
import { createRegistry } from './registries/registry.js';
import { createConfig } from './registries/default-settings.js';
import { adminServices, inertProperties } from './services/inert.js';
import { createAuth, type Strategy } from './services/auth.js';
import { createCron } from './services/cron/cron.js';
import { createContainer } from './services/container.js';
import { createEventHub } from './services/event-hub.js';
import { createWebhookServices } from './services/webhooks.js';
import { createStoreOf, type SettingOf } from './services/store.js';
import type {
  Anything,
  Model,
  Models,
  Named,
  Runtime,
  Strapi,
  StrapiContext,
  StrapiLog,
  StrapiModule,
} from './strapi.js';
import { createUtils } from './utilities/create-utilities.js';

/** The request in which code runs. */
const requests = new AsyncLocalStorage<Context>();

/** The inputs of the object before there is a database. */
export interface StrapiParts {
  readonly models: Models;
  readonly settings: Named;
  readonly log: StrapiLog;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  /** Values of the store that are derived from the service's settings. */
  readonly settingOf: SettingOf;
  readonly server: Strapi['server'];
}

/** The `strapi` object, and the registries that fill it. */
export interface CreatedStrapi {
  readonly context: StrapiContext;
  readonly registries: Registries;
  readonly utils: Named;
  readonly factories: Named;
  /** Types of custom fields that code registered, by name. */
  readonly customFields: ReadonlyMap<string, string>;
  /** Authentication strategies that code registered. */
  readonly strategies: readonly Strategy[];
  addModule(kind: 'api' | 'plugin', name: string, routes: () => Anything): StrapiModule;
  /** Provides the database. */
  attach(runtime: Runtime): void;
}

/** Unknown members throw an error with their name; `strapi.db.connection` has its own message. */
export function createStrapi(parts: StrapiParts): CreatedStrapi {
  let attached: Runtime | undefined;
  const config = createConfig(parts.settings);
  const instance = (thing: unknown): unknown => (typeof thing === 'function' ? thing({ strapi }) : thing);
  const registries: Registries = {
    contentTypes: createRegistry('Content type'),
    services: createRegistry('Service', instance),
    controllers: createRegistry('Controller', instance),
    policies: createRegistry('Policy'),
    middlewares: createRegistry('Middleware'),
  };
  for (const [uid, model] of Object.entries(parts.models.contentTypes)) registries.contentTypes.set(uid, model);
  const utils = createUtils(
    () => strapi,
    parts.variables,
    (wants) => context.runtime(wants),
  );
  const apis: Named<StrapiModule> = {};
  const plugins: Named<StrapiModule> = {};
  const customFields = new Map<string, string>();
  const strapi = {} as Strapi;
  const context: StrapiContext = {
    models: parts.models,
    log: parts.log,
    config,
    strapi,
    utils,
    runtime: (wants) => {
      if (attached !== undefined) return attached;
      throw new Error(`${wants} is not available before bootstrap`);
    },
  };
  const lifecycles = createLifecycles(
    (uid) => model(uid),
    async (uid, id) =>
      (await context.runtime('lifecycles').entries.findFirst(uid, { filters: { id }, publicationState: 'preview' })) ??
      null,
  );
  const { contentTypes, services, controllers, policies, middlewares } = registries;
  const model = (uid: string): Model | undefined => contentTypes.get(uid) as Model | undefined;
  const lists = { services, controllers, policies, middlewares, contentTypes };
  const names = ['services', 'controllers', 'policies', 'middlewares', 'contentTypes'] as const;
  for (const name of names) {
    Object.defineProperty(strapi, name, { enumerable: true, configurable: true, get: () => lists[name].getAll() });
  }
  const database = createDatabase(context, lifecycles);
  const { auth, strategies } = createAuth(parts.log);
  const admin = adminServices(context);
  services.add('admin::', { ...absentServicesOf('admin::'), ...admin });
  Object.assign(strapi, {
    config,
    log: parts.log,
    entityService: createEntityService(context, lifecycles),
    entityValidator: createEntityValidator(context),
    db: database,
    query: (uid: string) => database.query(uid),
    contentType: model,
    components: parts.models.components,
    getModel: (uid: string) => model(uid) ?? parts.models.components[uid],
    service: (uid: string) => services.get(uid),
    controller: (uid: string) => controllers.get(uid),
    policy: (uid: string) => policies.get(uid),
    middleware: (uid: string) => middlewares.get(uid),
    api: apis,
    apis,
    plugins,
    plugin: (name: string) => plugins[name],
    customFields: { register: (fields: Anything) => registerFields(customFields, fields) },
    server: parts.server,
    requestContext: { run: requests.run.bind(requests), get: () => requests.getStore() },
    ...inertProperties(),
    ...createWebhookServices(context),
    admin: strictProxy('strapi.admin', { services: strictProxy('strapi.admin.services', admin) }),
    auth,
    container: createContainer(
      { 'content-types': contentTypes, services, controllers, policies, middlewares, config, apis, plugins, auth },
      strapi,
    ),
    eventHub: createEventHub((error) => parts.log.error(error)),
    errors: utils['errors'] as Named,
    utils,
    store: createStoreOf(context, parts.settingOf),
    cron: createCron(context),
    dirs: foldersOf(parts.folder),
    fetch: (url: string, options?: object) => fetch(url, options),
    EE: false,
    features: {
      config: (parts.settings['features'] ?? {}) as Named,
      future: { isEnabled: (name: string) => config.get(`features.future.${name}`) === true },
    },
  });
  withAbsent('strapi', strapi);
  return {
    context,
    registries,
    utils,
    factories: createFactories(context),
    customFields,
    strategies,
    addModule: (kind, name, routes) => {
      const module = createModule(`${kind}::${name}`, registries, config, routes);
      (kind === 'api' ? apis : plugins)[name] = module;
      return module;
    },
    attach: (runtime) => {
      attached = runtime;
      strapi['isLoaded'] = true;
    },
  };
}

const folders = ['api', 'components', 'extensions', 'policies', 'middlewares'];

/** `strapi.dirs`: TypeScript runs from the sources, so `dist` folders equal the source folders. */
function foldersOf(root: string): Named {
  const src = path.join(root, 'src');
  const inside = Object.fromEntries(folders.map((name) => [name, path.join(src, name)]));
  const app = { root, src, ...inside, config: path.join(root, 'config') };
  return { app, dist: app, static: { public: path.join(root, 'public') } };
}

/** A custom field of the project is called `global::<name>`, one of a plugin `plugin::<plugin>.<name>`. */
function registerFields(types: Map<string, string>, fields: Anything): void {
  for (const { name, plugin, type } of [fields].flat() as { name: string; plugin?: string; type: string }[]) {
    types.set(plugin === undefined ? `global::${name}` : `plugin::${plugin}.${name}`, type);
  }
}
