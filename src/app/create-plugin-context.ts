import lodash from 'lodash';
import { openPluginPlaces } from '../config/plugins/place-messages.js';
import { settingsOf } from '../config/plugins/settings-of.js';
import { createFindProvider } from '../config/project/find-provider.js';
import { loadModule } from '../config/project/load-module.js';
import type { Logger } from '../errors/logger.js';
import { haveCopies } from '../documents/show-latest.js';
import type { Feeds } from '../documents/changes/feeds.js';
import type { Activities } from '../mongo/activities.js';
import type { Database } from '../mongo/connection/database.js';
import { openLease, openLocks } from '../mongo/coordination/locks.js';
import { OpenSessions } from '../mongo/coordination/open-sessions.js';
import { PresentUsers } from '../mongo/coordination/presence.js';
import { WebhookRecords } from '../mongo/events/webhook-records.js';
import { openGridFiles } from '../mongo/files/grid-files.js';
import { openValues } from '../mongo/values.js';
import type {
  BuiltInAuth,
  BuiltInContext,
  BuiltInHttp,
  BuiltInPlugin,
  BuiltInStorage,
} from '../plugins/contract/built-in.js';
import { checkResult } from '../plugins/contract/members.js';
import { middlewaresOf } from '../plugins/contract/access/action-guards.js';
import { createReadPreview } from '../plugins/contract/access/preview-links.js';
import { createApplication, type Application } from '../plugins/contract/application.js';
import { openMailer } from '../plugins/users-permissions/mail/open-mailer.js';
import { createResponses } from '../rest/response/json-response.js';
import { checkAccess, type CollectedRoutes } from './collect-routes.js';
import type { LoadedProject } from './load-project.js';
import { linkDefinitions, loadDefinitions } from './load-registry.js';
import { planMigration } from './migrate/plan-migration.js';
import type { Content } from './open-content.js';
import type { Operations } from './operations/operate.js';
import { serviceSettings } from './service-settings.js';

interface PluginContextParts {
  readonly project: LoadedProject;
  readonly database: Database;
  readonly content: Content;
  readonly collected: CollectedRoutes;
  readonly operations: Operations;
  readonly rateLimits: BuiltInStorage['rateLimits'];
  readonly feeds: Feeds | undefined;
  /** Undefined: no plugin hears of them. */
  readonly activities: Activities | undefined;
  readonly closing: AbortSignal;
  readonly application: Application;
  readonly authenticate: BuiltInAuth['authenticate'];
  readonly reachable: BuiltInHttp['reachable'];
  readonly answererOf: BuiltInHttp['answererOf'];
  readonly draftRules: BuiltInAuth['draftRules'];
  readonly readForm: BuiltInHttp['readForm'];
  readonly log: Logger;
}

/** @throws StartError if the mailer cannot be opened */
export async function createPluginContext({
  project,
  database: { db, exclusive },
  database,
  content,
  collected,
  operations: { metrics, slots, bodies },
  rateLimits,
  feeds,
  activities,
  closing,
  application,
  authenticate,
  reachable,
  answererOf,
  draftRules,
  readForm,
  log,
}: PluginContextParts): Promise<BuiltInContext> {
  const { config, plugins, registry, extension, code } = project;
  const { store, documents, entries, passwords, limits, purges } = content;
  const load = async (file: string): Promise<unknown> =>
    code === undefined ? loadModule(file) : code.project.code.load(file);
  const find = createFindProvider(config.folders);
  // Otherwise everyone who may read an entry sees all that a link shows.
  const usesPreviewLinks = config.drafts === 'restricted' || haveCopies(registry.contentTypes.values());
  /** What all plugins have as a member, which is checked. */
  const of = <T>(
    member: 'contentApis' | 'eventForms',
    read: (plugin: BuiltInPlugin) => readonly T[] | undefined,
  ): readonly T[] =>
    plugins.flatMap((plugin) => {
      const parts = read(plugin) ?? [];
      checkResult(`Plugin ${plugin.name}`, member, parts);
      return parts;
    });
  const context: BuiltInContext = {
    registry,
    documents,
    entries,
    waiting: {
      drafts: documents.draftsOf,
      changes: documents.changesOf,
      requests: documents.reviews.list,
      publications: documents.publicationsOf,
    },
    limits,
    log,
    mailer: await openMailer(config, find, load, log).catch((error: unknown) => {
      throw openPluginPlaces(config).error('email', error);
    }),
    settings: serviceSettings(config),
    http: {
      routes: collected.routes,
      reachable,
      answererOf,
      pages: plugins.flatMap((plugin) => plugin.pages ?? []),
      contentApis: lodash.once(() => of('contentApis', (plugin) => plugin.contentApis?.(context))),
      codeForm: lodash.once(() => plugins.find((plugin) => plugin.codeForm !== undefined)?.codeForm?.(context)),
      eventForms: lodash.once(() => of('eventForms', (plugin) => plugin.eventForms?.(context))),
      bodies,
      readForm,
      fileLimit: plugins.find((plugin) => plugin.fileLimit !== undefined)?.fileLimit,
      feeds,
      closing,
      admit: slots.run,
      responses: createResponses(config.limits.response),
      purgeAll: purges?.purgeAll,
    },
    auth: {
      actions: collected.actions,
      declared: collected.declared,
      declaredRoles: collected.declared?.roles.map(({ type }) => type) ?? [],
      logIns: plugins.find((plugin) => plugin.logIns !== undefined)?.logIns ?? { passwords: false, providers: [] },
      passwords,
      draftRules,
      authenticate,
      code: code?.authentication ?? (() => ({})),
      guards: collected.guards,
      restGuards: () => [...middlewaresOf(extension.guards ?? {}), ...(code?.restGuards() ?? [])],
      readPreview: usesPreviewLinks ? createReadPreview(config.secrets.jwt) : undefined,
      observeFailedLogin: metrics.observeFailedLogin,
    },
    storage: {
      locks: openLocks(db),
      collectWrites: async () => store.receipts?.collect(),
      recordActivity: async (activity) => activities?.record(activity),
      rateLimits,
      presence: new PresentUsers(db),
      sessions: new OpenSessions(db),
      gridFiles: openGridFiles(db),
      values: openValues(db),
      schedules: store.schedules,
      events: {
        log: store.events,
        webhooks: new WebhookRecords(db),
        lease: (key) => openLease(db, key, exclusive),
        ofCode: plugins.find((plugin) => plugin.codeEvents !== undefined)?.codeEvents,
        observeDelivery: metrics.observeDelivery,
        observeLag: metrics.observeEventLag,
      },
    },
    locales: { areDeclared: () => plugins.some((plugin) => plugin.declaresLocales?.() === true) },
    graphql: {
      parts: async () => {
        const added = plugins.map(async ({ name, graphql }) => {
          const part = await graphql?.(context);
          checkResult(`Plugin ${name}`, 'graphql', part);
          return part;
        });
        const parts = await Promise.all(added);
        return parts.filter((part) => part !== undefined);
      },
      forms: () => plugins.flatMap((plugin) => plugin.graphqlForms?.(context) ?? []),
      project: code?.graphql(),
    },
    project: {
      application,
      named: code?.namedPolicies(extension) ?? {
        policies: extension.policies ?? {},
        middlewares: extension.middlewares ?? {},
      },
      loadModule: load,
      definitions: {
        link: async (changes) => {
          const definitions = await loadDefinitions(config, plugins, undefined, { changes });
          const changed = linkDefinitions(definitions, plugins, code?.project.created.customFields);
          await checkAccess(project, changed, collected.routes, changes);
          return changed;
        },
        plan: (changed, stopping) => planMigration(config, database, registry, changed, stopping),
      },
    },
  };
  return context;
}

/** The object that project code receives as `strapi`. */
export const applicationOf = (
  { config, plugins, registry, code }: LoadedProject,
  { entries }: Content,
  log: Logger,
): Application =>
  (code?.project.strapi as Application | undefined) ??
  createApplication({
    registry,
    entries,
    services: Object.fromEntries(plugins.map(({ name, services = {} }) => [name, services])),
    config: settingsOf(config),
    log,
  });
