import { createAuthenticator } from './authenticate.js';
import { createFindDegraded } from './check-dependencies.js';
import type { Config } from '../config/config.js';
import { settingsOf } from '../config/plugins/settings-of.js';
import { createFindProvider } from '../config/project/find-provider.js';
import { loadModule } from '../config/project/load-module.js';
import type { Registry } from '../content-types/model/types.js';
import { createDocuments, type Documents } from '../documents/documents.js';
import { listDraftsActions } from '../documents/hide-drafts.js';
import { createEntries, type Entries } from '../documents/entries.js';
import { createResponseCache } from '../documents/response/response-cache.js';
import { createPasswords } from '../documents/write/passwords.js';
import type { ErrorLog } from '../errors/error-log.js';
import { loadAccess } from './load-access.js';
import { loadExtension } from './load-extension.js';
import { builtInPlugins, enabledPlugins, linkDefinitions, loadDefinitions } from './load-registry.js';
import { openLocks } from '../mongo/coordination/locks.js';
import type { Database, Log } from '../mongo/connection/database.js';
import { openGridFiles } from '../mongo/files/grid-files.js';
import { openQueryCosts } from '../mongo/observe/query-cost.js';
import { openRateLimits } from '../mongo/coordination/rate-limits.js';
import { withStartupLock } from '../mongo/coordination/startup-lock.js';
import type { AvailabilityLog } from './log-availability.js';
import { openData } from './open-data.js';
import { operate, type DetailLog, type OperateOptions } from './operate.js';
import type { Access } from '../plugins/contract/access/access.js';
import { createApplication, type Application } from '../plugins/contract/application.js';
import { createActionGuards, middlewaresOf } from '../plugins/contract/access/action-guards.js';
import { listActions } from '../plugins/contract/access/actions.js';
import type { UploadFile } from '../plugins/contract/forms.js';
import type { Extension } from '../plugins/contract/extension.js';
import { hooksOf } from '../plugins/contract/lifecycles.js';
import type { Command, Plugin, PluginContext } from '../plugins/contract/plugin.js';
import { createReadPreview } from '../plugins/contract/access/preview-links.js';
import { routesOf } from '../plugins/contract/routes-of.js';
import { openMailer } from '../plugins/users-permissions/mail/open-mailer.js';
import { createGuard } from '../rest/guard.js';
import { createRestApp, type RestApp } from '../rest/router.js';
import { createResponses } from '../rest/response/send.js';
import { findUnknownPlugins } from './unknown-plugins.js';
import { sweepRegularly } from './sweep-regularly.js';
import { openValues } from '../mongo/values.js';
import { openCode } from './open-code.js';
import { createValidator } from '../documents/input/validate/validate.js';

/** A running service, without a server: what tests and programs that embed it hold. */
export interface Service extends RestApp {
  readonly registry: Registry;
  readonly documents: Documents;
  readonly entries: Entries;
  readonly uploadFile: UploadFile;
  /** Of the plugins, for operators. */
  readonly commands: readonly Command[];
  /** Gives roles, tokens and locales the state that is declared, whatever else there is. Applied again, it changes nothing. */
  applyAccess(access: Access): Promise<void>;
  /** Says from now on that it stops: `/_ready` answers 503. */
  drain(): void;
  /** Stops its own work and closes the database. */
  close(): Promise<void>;
}

/** The part of a logger that the service uses. */
export type ServiceLog = Log & ErrorLog & DetailLog & AvailabilityLog;

export interface ServiceOptions extends OperateOptions {
  /** Run the owner's `bootstrap`; default true. */
  readonly bootstrap?: boolean;
  /** Apply what `access.json` declares; default true. */
  readonly applyDeclared?: boolean;
  /** The owner's code; default: what is in the project folder. */
  readonly extension?: Extension;
}

const refuseFiles: UploadFile = () => Promise.reject(new Error('The upload plugin is turned off'));

/**
 * Puts the service together: the only place that knows every room.
 * @param opening the database, which may still be starting
 * @throws StartError when definitions are broken or the database cannot be used
 */
export async function createService(
  loaded: Config,
  opening: Promise<Database>,
  log: ServiceLog,
  { bootstrap = true, applyDeclared = true, extension: injectedExtension, ...operating }: ServiceOptions = {},
): Promise<Service> {
  const warn = (line: string): void => log.warn({}, line);
  const plugins = await enabledPlugins(loaded, warn);
  for (const line of loaded.warnings) warn(line);
  const definitions = await loadDefinitions(loaded, plugins, warn);
  const code = await openCode({ config: loaded, plugins, definitions, log });
  const project = code?.project;
  const config = project?.config ?? loaded;
  if (code === undefined) for (const line of findUnknownPlugins(config, new Set(builtInPlugins))) warn(line);
  await project?.register();
  const registry = linkDefinitions(project?.definitions ?? definitions, plugins, project?.created.customFields, warn);
  const extension = injectedExtension ?? (await loadExtension(config.folders.project));

  const database = await opening;
  const { defaultLimit, maxLimit, withCount, entryMeta } = config.rest;
  const development = config.environment === 'development';
  const costs = development ? openQueryCosts(database.client) : undefined;
  const { store, refusedIntents } = await openData(config, database, registry, log, costs);
  const interceptors = plugins.flatMap((plugin) => plugin.interceptors ?? []);
  const lifecycles = hooksOf(extension.lifecycles ?? {}, () => entries);
  const hooks = [...plugins.flatMap((plugin) => plugin.hooks ?? []), lifecycles, ...(project ? [project.hooks] : [])];
  const passwords = createPasswords();
  const parts = {
    registry,
    store,
    validator: createValidator(registry),
    passwords,
    relationLimit: config.limits.relations,
  };
  const restrictDrafts = config.drafts === 'restricted';
  const readPreview = restrictDrafts ? createReadPreview(config.secrets.jwt) : undefined;
  const { responseCache } = config.rest;
  const documents = createDocuments(parts, {
    interceptors,
    hooks,
    restrictDrafts,
    responseCache: responseCache === undefined ? undefined : createResponseCache(responseCache),
  });
  const limits = { defaultLimit, maxLimit, withCount, populateLimit: config.limits.populate };
  const entries: Entries = createEntries(documents, registry, limits);
  const uploadFile = plugins.find((plugin) => plugin.uploadFile !== undefined)?.uploadFile ?? refuseFiles;
  const extensionContext = { registry, documents, entries, uploadFile, log };
  const routes = [
    ...(typeof extension.routes === 'function' ? extension.routes(extensionContext) : (extension.routes ?? [])),
    ...plugins.flatMap((plugin) => routesOf(plugin, registry)),
  ];
  const common = [...listActions(registry, plugins, routes), ...(code?.actions() ?? [])];
  const drafts = listDraftsActions(registry.contentTypes.values());
  const actions = restrictDrafts ? [...common, ...drafts] : common;
  // The file may name them in both modes, so that a project can switch.
  const access = await loadAccess(config, [...common, ...drafts]);

  const { guards = {} } = extension;
  const policiesOf = createActionGuards(guards, actions, extensionContext);

  const { environment, secrets, folders } = config;
  const loadProjectModule = async (file: string): Promise<unknown> =>
    project === undefined ? loadModule(file) : project.code.load(file);
  const find = createFindProvider([folders.contentTypes, folders.project]);
  const rateLimits = openRateLimits(database.db, database.exclusive);
  const application =
    (project?.strapi as Application | undefined) ??
    createApplication({
      registry,
      entries,
      services: Object.fromEntries(plugins.map(({ name, services = {} }) => [name, services])),
      config: settingsOf(config),
      log,
    });
  await extension.register?.({ strapi: application });
  const authenticate = createAuthenticator(plugins);
  const operations = operate(config, { database, rateLimits, refusedIntents }, log, operating);
  const context: PluginContext = {
    registry,
    documents,
    entries,
    limits,
    entryMeta,
    actions,
    routes,
    pages: plugins.flatMap((plugin) => plugin.pages ?? []),
    declared: access,
    passwords,
    claims: openLocks(database.db),
    rateLimits,
    gridFiles: openGridFiles(database.db),
    readForm: plugins.find((plugin) => plugin.readForm !== undefined)?.readForm,
    log,
    admit: operations.admission.run,
    observeGraphql: operations.observeGraphql,
    observeFailedLogin: operations.observeFailedLogin,
    environment,
    drafts: config.drafts,
    readPreview,
    mailer: await openMailer(config, { find, load: loadProjectModule, log }),
    loadModule: loadProjectModule,
    secrets,
    folders,
    publicUrl: config.server.publicUrl,
    bodyLimit: config.limits.body,
    responses: createResponses(config.limits.response),
    authenticate,
    application,
    project: code?.graphql(),
    named: code?.namedPolicies(extension) ?? {
      policies: extension.policies ?? {},
      middlewares: extension.middlewares ?? {},
    },
    guards: policiesOf,
    warn,
    restGuards: () => new Map([...middlewaresOf(guards), ...(code?.routePolicies() ?? [])]),
    graphqlParts: async () => {
      const parts = await Promise.all(plugins.map(async (plugin) => plugin.graphql?.(context)));
      return parts.filter((part) => part !== undefined);
    },
  };
  const bodyReaders = plugins.flatMap((plugin) => plugin.bodyReader ?? []);
  const values = openValues(database.db);
  const served = code?.serve(
    { registry, documents, store, values, bodyReaders, plugins: context },
    { config, ...operations },
  );
  const applyAccess = async (declared: Access): Promise<void> => {
    for (const plugin of plugins) {
      for (const change of (await plugin.applyAccess?.(declared)) ?? []) log.info(`Access: ${change}`);
    }
  };
  const started: Plugin[] = [];
  const stopPlugins = async (): Promise<void> => {
    for (const plugin of started) await plugin.stop?.();
  };
  await withStartupLock(database, async () => {
    for (const plugin of plugins) {
      await plugin.start?.(context);
      started.push(plugin);
    }
    if (access !== undefined && applyDeclared) await applyAccess(access);
    if (bootstrap) await extension.bootstrap?.(extensionContext);
    if (bootstrap) await served?.start();
    for (const plugin of plugins) await plugin.ready?.(context);
  }).catch(async (error: unknown) => {
    await stopPlugins();
    throw error;
  });
  const endSweeps = sweepRegularly({ store, registry, rateLimits }, log);

  const app = createRestApp({
    registry,
    documents,
    limits,
    bodyLimit: config.limits.body,
    responseLimit: config.limits.response,
    ...operations,
    findDegraded: createFindDegraded(plugins),
    development,
    readPreview,
    costs,
    authenticate,
    routes,
    guard: createGuard(guards, policiesOf),
    mounts: plugins.flatMap((plugin) => plugin.mounts ?? []),
    bodyReaders,
    code: served?.handler,
    log,
  });
  return {
    registry,
    documents,
    entries,
    uploadFile,
    ...app,
    commands: plugins.flatMap((plugin) => plugin.commands ?? []),
    applyAccess: (declared) => withStartupLock(database, () => applyAccess(declared)),
    drain: operations.drain,
    close: async () => {
      endSweeps();
      await project?.destroy();
      await stopPlugins();
      operations.end();
      costs?.close();
      await database.close();
    },
  };
}
