import { openPluginPlaces } from '../config/plugins/place-messages.js';
import { settingsOf } from '../config/plugins/settings-of.js';
import { createFindProvider } from '../config/project/find-provider.js';
import { loadModule } from '../config/project/load-module.js';
import type { Logger } from '../errors/logger.js';
import type { Feeds } from '../documents/changes/feeds.js';
import type { Database } from '../mongo/connection/database.js';
import { openLocks } from '../mongo/coordination/locks.js';
import { openLease } from '../mongo/events/lease.js';
import { WebhookRecords } from '../mongo/events/webhook-records.js';
import { openGridFiles } from '../mongo/files/grid-files.js';
import { middlewaresOf } from '../plugins/contract/access/action-guards.js';
import { createReadPreview } from '../plugins/contract/access/preview-links.js';
import { createApplication, type Application } from '../plugins/contract/application.js';
import type {
  AuthServices,
  GraphqlServices,
  HttpServices,
  PluginContext,
  ProjectServices,
  ServiceSettings,
  StorageServices,
} from '../plugins/contract/plugin-context.js';
import { openMailer } from '../plugins/users-permissions/mail/open-mailer.js';
import { createResponses } from '../rest/response/send.js';
import { checkAccess, type CollectedRoutes } from './collect-routes.js';
import type { LoadedProject } from './load-project.js';
import { linkDefinitions, loadDefinitions } from './load-registry.js';
import { planMigration } from './migrate/plan-migration.js';
import type { Content } from './open-content.js';
import type { Operations } from './operations/operate.js';

export interface PluginContextParts {
  readonly project: LoadedProject;
  readonly database: Database;
  readonly content: Content;
  readonly collected: CollectedRoutes;
  readonly operations: Operations;
  readonly rateLimits: StorageServices['rateLimits'];
  readonly feeds: Feeds | undefined;
  readonly closing: AbortSignal;
  readonly application: Application;
  readonly authenticate: AuthServices['authenticate'];
  readonly reachable: HttpServices['reachable'];
  readonly readForm: HttpServices['readForm'];
  readonly log: Logger;
}

/** @throws StartError if the mailer cannot be opened */
export async function createPluginContext(parts: PluginContextParts): Promise<PluginContext> {
  const { project, content, log } = parts;
  const { config, registry, code } = project;
  const { documents, entries, limits } = content;
  const loadProjectModule = async (file: string): Promise<unknown> =>
    code === undefined ? loadModule(file) : code.project.code.load(file);
  const find = createFindProvider([config.folders.contentTypes, config.folders.project]);
  const context: PluginContext = {
    registry,
    documents,
    entries,
    limits,
    log,
    mailer: await openMailer(config, { find, load: loadProjectModule, log }).catch((error: unknown) => {
      throw openPluginPlaces(config).error('email', error);
    }),
    settings: settingsFor(project),
    http: httpServices(parts),
    auth: authServices(parts),
    storage: storageServices(parts),
    graphql: graphqlServices(parts, () => context),
    project: projectServices(parts, loadProjectModule),
  };
  return context;
}

const settingsFor = ({ config }: LoadedProject): ServiceSettings => ({
  environment: config.environment,
  drafts: config.drafts,
  publicUrl: config.server.publicUrl,
  prefix: config.rest.prefix,
  secrets: config.secrets,
  folders: config.folders,
  entryMeta: config.rest.entryMeta,
  events: config.events,
  variables: config.variables,
});

const storageServices = ({
  database: { db, exclusive },
  content,
  rateLimits,
  operations,
}: PluginContextParts): StorageServices => ({
  locks: openLocks(db),
  rateLimits,
  gridFiles: openGridFiles(db),
  schedules: content.store.schedules,
  purges: content.purges,
  events: {
    log: content.store.events,
    webhooks: new WebhookRecords(db),
    lease: (key) => openLease(db, key, exclusive),
    observeDelivery: operations.metrics.observeDelivery,
    observeLag: operations.metrics.observeEventLag,
    observePurge: operations.metrics.observePurge,
    observePurgeLag: operations.metrics.observePurgeLag,
  },
});

const httpServices = ({
  project,
  collected,
  operations,
  feeds,
  closing,
  reachable,
  readForm,
}: PluginContextParts): HttpServices => ({
  routes: collected.routes,
  reachable,
  pages: project.plugins.flatMap((plugin) => plugin.pages ?? []),
  bodyLimit: project.config.limits.body,
  readForm,
  fileLimit: project.plugins.find((plugin) => plugin.fileLimit !== undefined)?.fileLimit,
  feeds,
  closing,
  admit: operations.admission.run,
  responses: createResponses(project.config.limits.response),
});

const authServices = ({
  project: { config, extension, code },
  content,
  collected,
  operations,
  authenticate,
}: PluginContextParts): AuthServices => ({
  actions: collected.actions,
  declared: collected.declared,
  passwords: content.passwords,
  authenticate,
  guards: collected.guards,
  restGuards: () => [...middlewaresOf(extension.guards ?? {}), ...(code?.restGuards() ?? [])],
  readPreview: config.drafts === 'restricted' ? createReadPreview(config.secrets.jwt) : undefined,
  observeFailedLogin: operations.metrics.observeFailedLogin,
});

const graphqlServices = ({ project }: PluginContextParts, context: () => PluginContext): GraphqlServices => ({
  parts: async () => {
    const parts = await Promise.all(project.plugins.map(async (plugin) => plugin.graphql?.(context())));
    return parts.filter((part) => part !== undefined);
  },
  project: project.code?.graphql(),
});

const projectServices = (
  { project, application, database, collected }: PluginContextParts,
  loadProjectModule: ProjectServices['loadModule'],
): ProjectServices => ({
  application,
  named: project.code?.namedPolicies(project.extension) ?? {
    policies: project.extension.policies ?? {},
    middlewares: project.extension.middlewares ?? {},
  },
  loadModule: loadProjectModule,
  definitions: {
    link: async (changes) => {
      const { config, plugins, code } = project;
      const definitions = await loadDefinitions(config, plugins, undefined, changes);
      const registry = linkDefinitions(definitions, plugins, code?.project.created.customFields);
      await checkAccess(project, registry, collected.routes, changes);
      return registry;
    },
    plan: (registry, stopping) => planMigration(project.config, database, project.registry, registry, stopping),
  },
});

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
