import { authenticateWith } from './authenticate.js';
import type { Config } from '../config/config.js';
import { settingsOf } from '../config/settings-of.js';
import type { Registry } from '../content-types/types.js';
import { createDocuments, type Documents } from '../documents/documents.js';
import { createEntries, type Entries } from '../documents/entries.js';
import { createPasswords } from '../documents/passwords.js';
import type { ErrorLog } from '../errors/error-log.js';
import { loadAccess } from './load-access.js';
import { loadExtension } from './load-extension.js';
import { enabledPlugins, loadRegistry } from './load-registry.js';
import { openClaims } from '../mongo/claims.js';
import type { Database, Log } from '../mongo/database.js';
import { openGridFiles } from '../mongo/grid-files.js';
import { openMeter } from '../mongo/meter.js';
import { openRateLimits } from '../mongo/rate-limits.js';
import { startAlone } from '../mongo/start-alone.js';
import { openStore } from '../mongo/store.js';
import { operate, type DetailLog, type Expose } from './operate.js';
import type { Access } from '../plugins/access.js';
import { createApplication } from '../plugins/application.js';
import { listActions } from '../plugins/actions.js';
import type { UploadFile } from '../plugins/forms.js';
import type { Extension } from '../plugins/extension.js';
import { hooksOf } from '../plugins/lifecycles.js';
import type { Command, PluginContext } from '../plugins/plugin.js';
import { routesOf } from '../plugins/routes-of.js';
import { createGuard } from '../rest/guard.js';
import { createRestApp, type RestApp } from '../rest/router.js';
import { prepareData } from './prepare-data.js';
import { sweepRegularly } from './sweep-regularly.js';
import { createValidator } from '../validation/validate.js';

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
  /** Says from now on that it stops: `/_ready` answers 503, and connections are not kept. */
  drain(): void;
  /** Stops its own work and closes the database. */
  close(): Promise<void>;
}

/** The part of a logger that the service uses. */
export type ServiceLog = Log & ErrorLog & DetailLog;

export interface ServiceOptions {
  /** Run the owner's `bootstrap`; default true. */
  readonly bootstrap?: boolean;
  /** Apply what `access.json` declares; default true. */
  readonly applyDeclared?: boolean;
  /** The owner's code; default: what is in the project folder. */
  readonly extension?: Extension;
  /** What `/metrics` tells in place of this process's own measurements. */
  readonly expose?: Expose;
}

const refuseFiles: UploadFile = () => Promise.reject(new Error('The upload plugin is turned off'));

/**
 * Puts the service together: the only place that knows every room.
 * @param opening the database, which may still be starting
 * @throws StartError when definitions are broken or the database cannot be used
 */
export async function createService(
  config: Config,
  opening: Promise<Database>,
  log: ServiceLog,
  { bootstrap = true, applyDeclared = true, extension: given, expose }: ServiceOptions = {},
): Promise<Service> {
  const plugins = await enabledPlugins(config);
  const registry = await loadRegistry(config, plugins);
  const extension = given ?? (await loadExtension(config.folders.project));

  const database = await opening;
  const { defaultLimit, maxLimit, withCount, entryMeta, responseCache: answers } = config.rest;
  const development = config.environment === 'development';
  const { queryTime: timeout } = config.limits;
  const store = openStore(database.db, { timeout, owned: database.owned, answers, metered: development });
  await prepareData(store, registry, log);
  const interceptors = plugins.flatMap((plugin) => plugin.interceptors ?? []);
  const lifecycles = hooksOf(extension.lifecycles ?? {}, () => entries);
  const hooks = [...plugins.flatMap((plugin) => plugin.hooks ?? []), lifecycles];
  const passwords = createPasswords();
  const parts = { registry, store, validator: createValidator(registry), passwords };
  const documents = createDocuments(parts, { interceptors, hooks });
  const limits = { defaultLimit, maxLimit, withCount, populateLimit: config.limits.populate };
  const entries: Entries = createEntries(documents, registry, limits);
  const uploadFile = plugins.find((plugin) => plugin.uploadFile !== undefined)?.uploadFile ?? refuseFiles;
  const owned = { registry, documents, entries, uploadFile, log };
  const routes = [
    ...(typeof extension.routes === 'function' ? extension.routes(owned) : (extension.routes ?? [])),
    ...plugins.flatMap((plugin) => routesOf(plugin, registry)),
  ];
  const actions = listActions(registry, plugins, routes);
  const access = await loadAccess(config, actions);

  const { environment, mail, secrets, folders } = config;
  const rateLimits = openRateLimits(database.db, database.owned);
  const application = createApplication({
    registry,
    entries,
    services: Object.fromEntries(plugins.map(({ name, services = {} }) => [name, services])),
    config: settingsOf(config),
    log,
  });
  await extension.register?.({ strapi: application });
  const authenticate = authenticateWith(plugins);
  const operations = operate(config, database, rateLimits, log, expose);
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
    claims: openClaims(database.db),
    rateLimits,
    gridFiles: openGridFiles(database.db),
    readForm: plugins.find((plugin) => plugin.readForm !== undefined)?.readForm,
    log,
    admit: operations.admission.run,
    environment,
    mail,
    secrets,
    folders,
    publicUrl: config.server.publicUrl,
    bodyLimit: config.limits.body,
    authenticate,
    application,
    named: { policies: extension.policies ?? {}, middlewares: extension.middlewares ?? {} },
    graphqlParts: async () => {
      const parts = await Promise.all(plugins.map(async (plugin) => plugin.graphql?.(context)));
      return parts.filter((part) => part !== undefined);
    },
  };
  const applyAccess = async (declared: Access): Promise<void> => {
    for (const plugin of plugins) {
      for (const change of (await plugin.applyAccess?.(declared)) ?? []) log.info(`Access: ${change}`);
    }
  };
  await startAlone(database, async () => {
    for (const plugin of plugins) await plugin.start?.(context);
    if (access !== undefined && applyDeclared) await applyAccess(access);
    if (bootstrap) await extension.bootstrap?.(owned);
  });
  const endSweeps = sweepRegularly({ store, registry, rateLimits }, log);

  const app = createRestApp({
    registry,
    documents,
    limits,
    bodyLimit: config.limits.body,
    ...operations,
    development,
    meter: development ? openMeter(database.client) : undefined,
    authenticate,
    routes,
    guard: createGuard(extension.guards, owned),
    mounts: plugins.flatMap((plugin) => plugin.mounts ?? []),
    bodyReaders: plugins.flatMap((plugin) => plugin.bodyReader ?? []),
    log,
  });
  return {
    registry,
    documents,
    entries,
    uploadFile,
    ...app,
    commands: plugins.flatMap((plugin) => plugin.commands ?? []),
    applyAccess,
    drain: operations.drain,
    close: async () => {
      endSweeps();
      for (const plugin of plugins) await plugin.stop?.();
      await database.close();
    },
  };
}
