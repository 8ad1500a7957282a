import type { Server } from 'node:http';
import lodash from 'lodash';
import type { Config } from '../config/config.js';
import { openPluginPlaces } from '../config/plugins/place-messages.js';
import type { ContentType, Registry } from '../content-types/model/types.js';
import type { Documents } from '../documents/documents.js';
import type { Entries } from '../documents/entries.js';
import type { Logger } from '../errors/logger.js';
import type { Database } from '../mongo/connection/database.js';
import { openRateLimits } from '../mongo/coordination/rate-limits.js';
import { repeat } from '../mongo/coordination/repeat.js';
import { withStartupLock } from '../mongo/coordination/locks.js';
import type { BuiltInPlugin } from '../plugins/contract/built-in.js';
import { checkResult } from '../plugins/contract/members.js';
import { rulesOfDrafts, type Access } from '../plugins/contract/access/access.js';
import type { Extension } from '../plugins/contract/extension.js';
import type { UploadFile } from '../plugins/contract/forms.js';
import type { Command } from '../plugins/contract/plugin.js';
import { IdempotencyKeys } from '../mongo/coordination/idempotency-keys.js';
import { createAnswerers } from '../rest/answerers.js';
import { createGuard } from '../rest/guards.js';
import { createRestApp, type RestApp } from '../rest/router.js';
import { createAuthenticator } from './authenticate.js';
import { deliverPurges } from './caches/deliver-purges.js';
import { storedTypes } from '../content-types/model/stored-types.js';
import type { Door } from '../query/receipt.js';
import { openActivities } from '../mongo/activities.js';
import { openSignatures, type Signatures } from '../mongo/write/signatures.js';
import { hearOfActivities, isHeard, tellOfActivities, tellOfWrites } from './tell-of-writes.js';
import { underminedRules } from '../plugins/contract/access/undermined-rules.js';
import { checkRules } from './check-rules.js';
import { describeMissingShortcuts, describeRefused } from './shortcuts.js';
import { collectRoutes } from './collect-routes.js';
import { applicationOf, createPluginContext } from './create-plugin-context.js';
import { loadProject } from './load-project.js';
import { openContent } from './open-content.js';
import { createAdmissions, createFindDegraded, operate, type OperateOptions } from './operations/operate.js';
import { createFeeds } from '../documents/changes/feeds.js';
import { createPositions } from '../documents/changes/positions.js';
import { EventTail } from '../mongo/events/event-tail.js';

/** A running service without an HTTP server, for tests and programs that embed it. */
export interface Service extends RestApp {
  readonly registry: Registry;
  readonly documents: Documents;
  readonly entries: Entries;
  readonly uploadFile: UploadFile;
  /** The commands that plugins add to the command line. */
  readonly commands: readonly Command[];
  /** Sets roles, tokens and locales to their declared state. A second call changes nothing. */
  applyAccess(access: Access): Promise<void>;
  /** What plugins have to say to the people who run it, once it listens. */
  notices(): Promise<readonly string[]>;
  /** Makes `/_ready` respond with 503. */
  drain(): void;
  /** Stops its own work and closes the database. */
  close(): Promise<void>;
}

export interface ServiceOptions extends OperateOptions {
  /** Will serve the application; project code can attach web sockets to it from `register` on. */
  readonly httpServer?: Server;
  /** Run the `bootstrap` of the project; default true. */
  readonly bootstrap?: boolean;
  /** Apply `access.json`; default true. */
  readonly applyDeclared?: boolean;
  /** How writes come in that name no origin; default: `code`. */
  readonly door?: Door;
  /** Project code; default: `extensions` of the project folder. */
  readonly extension?: Extension;
}

/** Milliseconds between two searches for unfinished writes of crashed processes and for expired records. */
const SWEEP_MS = 30_000;

const refuseFiles: UploadFile = () => Promise.reject(new Error('The upload plugin is turned off'));

/**
 * Assembles the service; the only place that uses every module.
 * @param opening the database, which may still be starting
 * @throws StartError if a definition is invalid or the database cannot be used
 */
export async function createService(
  loaded: Config,
  opening: Promise<Database>,
  log: Logger,
  {
    bootstrap = true,
    applyDeclared = true,
    extension: injectedExtension,
    httpServer,
    door = 'code',
    ...operating
  }: ServiceOptions = {},
): Promise<Service> {
  const project = await loadProject(loaded, log, { extension: injectedExtension, httpServer });
  const { config, plugins, registry, extension, code } = project;
  const database = await opening;
  const started: BuiltInPlugin[] = [];
  const signatures = isHeard(plugins) ? openSignatures() : undefined;
  const asking = signatures?.current;
  const content = await openContent(project, database, log, started, door, asking);
  const activities = hearOfActivities(plugins)
    ? openActivities(database.db, {
        asking: () => asking?.() ?? { by: { kind: 'system' }, origin: { door } },
        // What was written before is told before.
        receive: async (told) => {
          await content.store.receipts?.collect();
          await tellOfActivities(plugins)(told);
        },
        report: (error) => log.error({ err: error }, 'What was done is stored, but not told yet'),
      })
    : undefined;
  const { store, documents, entries, limits, costs, tagHeaders, purges } = content;
  const uploadFile = plugins.find((plugin) => plugin.uploadFile !== undefined)?.uploadFile ?? refuseFiles;
  const extensionContext = { registry, documents, entries, uploadFile, log };
  const collected = await collectRoutes(project, extensionContext);
  const { routes, mounted, actions, declared } = collected;
  const application = applicationOf(project, content, log);
  await extension.register?.({ strapi: application });

  // What requests pass through.
  const { guards = {} } = extension;
  const rateLimits = openRateLimits(database.db, database.exclusive);
  const authenticate = createAuthenticator(plugins, actions, {
    config,
    log,
    strategies: code?.strategies,
    sign: signatures?.sign,
  });
  const admissions = createAdmissions(config.limits);
  const readForm = plugins.find((plugin) => plugin.readForm !== undefined)?.readForm;
  const guard = createGuard(guards, collected.guards);
  const served = code?.serve({
    config,
    registry,
    entries,
    readForm,
    routes,
    actions,
    authenticate,
    guard,
    ...admissions,
  });
  const { answererOf, hasRoute, isThere, reachable } = createAnswerers({
    registry,
    routes: mounted,
    isGuarded: (action) => Object.hasOwn(guards, action),
    code: served,
  });
  const feeds = config.events.record
    ? createFeeds({
        registry,
        documents,
        tail: new EventTail(store.events),
        positions: createPositions(config.secrets.jwt),
        limits,
        maximum: config.events.feeds,
        isOffered: (type) => answererOf(type, 'find') === 'core',
      })
    : undefined;
  const operations = operate(
    config,
    { database, rateLimits, transactions: store.transactions.counts, feeds, admissions },
    log,
    operating,
  );
  const closing = new AbortController();

  // What plugins get of it, and what they add.
  const context = await createPluginContext({
    project,
    database,
    content,
    collected,
    operations,
    rateLimits,
    feeds,
    closing: closing.signal,
    application,
    authenticate,
    readForm,
    reachable: () => ({ routes: reachable(served?.locate(routes) ?? routes), hasRoute }),
    answererOf,
    activities,
    draftRules: lodash.once(() => {
      const isCore = (type: ContentType, action: string): boolean => served?.replacement(type, action) === undefined;
      return rulesOfDrafts(registry.contentTypes.values(), isCore);
    }),
    log,
  });
  const contentApis = context.http.contentApis();
  const bodyReaders = plugins.flatMap((plugin) => plugin.bodyReader ?? []);
  const idempotencyKeys = new IdempotencyKeys(database.db, store.transactions);
  const { values } = context.storage;
  served?.attach({ registry, documents, store, values, bodyReaders, idempotencyKeys, plugins: context });
  const app = createRestApp({
    registry,
    documents,
    limits,
    batchLimit: config.limits.batch,
    responseLimit: config.limits.response,
    ...operations,
    findDegraded: createFindDegraded(plugins),
    development: config.environment === 'development',
    readPreview: context.auth.readPreview,
    costs,
    authenticate,
    prefix: config.rest.prefix,
    isOffered: config.rest.isOffered,
    routes: mounted,
    ownRoutes: collected.ownRoutes,
    guard,
    answererOf,
    hasRoute,
    isThere,
    contentApis,
    idempotencyKeys,
    feeds,
    closing,
    mounts: plugins.flatMap((plugin) => {
      const mounts = plugin.mounts?.(context) ?? [];
      checkResult(`Plugin ${plugin.name}`, 'mounts', mounts);
      return mounts;
    }),
    bodyReaders,
    code: served,
    coreActions: served?.coreActions,
    tagHeaders,
    awaited: purges?.queue.awaited,
    log,
  });

  let stopDelivery: (() => Promise<void>) | undefined;
  const stop = async (): Promise<void> => {
    await stopPlugins(started);
    await stopDelivery?.();
  };
  // One process at a time; if anything fails, nothing runs any more.
  const places = openPluginPlaces(config);
  await withStartupLock(database, async () => {
    for (const plugin of plugins) {
      try {
        await plugin.start?.(context);
      } catch (error) {
        throw places.error(plugin.name, error);
      }
      started.push(plugin);
    }
    await content.tellRecovered();
    stopDelivery = purges && (await deliverPurges(purges, database, operations.metrics, log));
    if (declared !== undefined && applyDeclared) {
      for (const line of underminedRules(declared, registry)) log.warn(line);
      await applyAccess(plugins, declared, log);
    }
    if (bootstrap) await extension.bootstrap?.(extensionContext);
    if (bootstrap) await served?.start();
    if (served !== undefined)
      for (const line of describeMissingShortcuts({ registry, routes, answererOf, limits })) log.info(line);
    for (const api of contentApis) for (const line of describeRefused(api, registry, answererOf)) log.warn(line);
    if (served !== undefined && declared !== undefined) checkRules(declared, registry, served.replacement);
    for (const plugin of plugins) await plugin.ready?.(context);
  }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  // A new version of the project can change every response. Commands only look at the data.
  if (applyDeclared) await purges?.queue.add([purges.everything]);
  store.receipts?.attach(tellOfWrites(plugins, registry), storedTypes(registry), database.exclusive);
  const sweep = async (): Promise<void> => {
    await Promise.all([store.sweep(), rateLimits.sweep()]);
    await store.receipts?.search(storedTypes(registry));
    await activities?.search();
  };
  const endSweeps = repeat(SWEEP_MS, sweep, (error) =>
    log.error({ err: error }, 'Regular maintenance failed; it runs again at the next interval'),
  );

  return {
    registry,
    documents,
    entries,
    uploadFile,
    ...app,
    handler: inRequest(app.handler, signatures),
    commands: plugins.flatMap((plugin) => plugin.commands ?? []),
    applyAccess: (declared) => withStartupLock(database, () => applyAccess(plugins, declared, log)),
    notices: async () => (await Promise.all(plugins.map(async (plugin) => (await plugin.notices?.()) ?? []))).flat(),
    drain: operations.drain,
    close: async () => {
      void endSweeps();
      await code?.project.destroy();
      await store.receipts?.close();
      await stop();
      operations.end();
      costs?.close();
      await database.close();
      // Not before: work that is left would go on outside of its transaction.
      store.transactions.close();
    },
  };
}

/** Applies the declared access in every plugin, and logs each change. */
async function applyAccess(plugins: readonly BuiltInPlugin[], declared: Access, log: Logger): Promise<void> {
  for (const plugin of plugins) {
    for (const change of (await plugin.applyAccess?.(declared)) ?? []) log.info(`Access: ${change}`);
  }
}

/** @param started empty afterwards: they hear of no change any more */
async function stopPlugins(started: BuiltInPlugin[]): Promise<void> {
  for (const plugin of started.splice(0)) await plugin.stop?.();
}

/** Requests say who asks for what the service does for them, where a plugin hears of that. */
const inRequest =
  (handler: RestApp['handler'], signatures: Signatures | undefined): RestApp['handler'] =>
  (request, response) =>
    signatures === undefined ? handler(request, response) : signatures.run(() => handler(request, response));
