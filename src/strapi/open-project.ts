import type { Server } from 'node:http';
import lodash from 'lodash';
import type { Config } from '../config/config.js';
import { withinFolder } from '../config/project/within-folder.js';
import type { ContentTypeDefinition, Defined } from '../content-types/model/definition.js';
import { adminUser } from '../content-types/model/system-attributes.js';
import type { Logger } from '../errors/logger.js';
import { noteFailure } from '../errors/start-error.js';
import type { BuiltInPlugin } from '../plugins/contract/built-in.js';
import type { RestGuard } from '../plugins/contract/access/policy-request.js';
import { createStrapi, type CreatedStrapi } from './create-strapi.js';
import { serviceSettings } from './project/service-settings.js';
import { createServer, type CollectingServer } from './http/server.js';
import { describePlugin, isLimited, offeredRoutes } from './project/built-in-plugins.js';
import { createRateLimitMiddleware } from './project/rate-limit-middleware.js';
import { loadProjectCode, phasesIn, type ProjectCode } from './project/load-project.js';
import { runPhase, type Owner, type Phase } from './project/run-phase.js';
import { membersOf, rememberServices, type MadeServices } from './services/made-services.js';
import { isOfStrapi } from './project/find-plugins.js';
import {
  describePanelChanges,
  extendPlugin,
  extendTypes,
  findReplacedActions,
  loadPluginServer,
  schemasOf,
  warnOfServices,
  type PluginServer,
} from './project/plugin-server.js';
import { asRecord, provideGlobally } from './project/provide-modules.js';
import { createStrapiModules, type StrapiModules } from './modules/strapi-modules.js';
import { addPrivateAttributes, describeModels, type RawDefinitions } from './registries/models.js';
import { defaultSettings } from './registries/default-settings.js';
import { createLog } from './services/log.js';
import { emailProvider, pluginServices, sendMailRoute } from './services/plugin-services.js';
import type { Named, Strapi } from './strapi.js';

export interface ProjectParts {
  readonly config: Config;
  readonly plugins: readonly BuiltInPlugin[];
  /** The definitions of the project and of the built-in plugins. */
  readonly definitions: RawDefinitions;
  readonly log: Logger;
  /** `strapi.server.httpServer`; undefined if nothing will listen. */
  readonly httpServer?: Server | undefined;
  /** Receives a line for each file and plugin that cannot be loaded, in place of an error. */
  readonly failures?: string[];
}

/** The loaded code of a Strapi v4 project; only its files have been evaluated. */
export interface OpenProject {
  readonly strapi: Strapi;
  readonly created: CreatedStrapi;
  readonly code: ProjectCode;
  readonly server: CollectingServer;
  /** The definitions with those of the project's plugins, as `register` and `config/api` change them. */
  readonly definitions: RawDefinitions;
  /** Plugins whose routes the project's code handles: its own, `email`, and those that it extends. */
  readonly routedPlugins: readonly string[];
  /** Actions of built-in plugins that `strapi-server` replaces. */
  readonly replacedActions: readonly RestGuard[];
  /** The services of built-in plugins as they were made. */
  readonly madeServices: MadeServices;
  /** What code gets in place of Strapi's packages. */
  readonly modules: StrapiModules;
  /** Actions of built-in plugins whose requests are limited. */
  readonly limitedActions: ReadonlySet<string | undefined>;
  /** A line for each action of Strapi's admin panel that it replaces. */
  readonly panelChanges: readonly string[];
  /** Actions of plugins that the project extends: its code decides which routes lead to them. */
  readonly routedActions: ReadonlySet<string | undefined>;
  /**
   * The configuration with the settings of `config/api` and `config/middlewares`, unless variables override them.
   * `register` can change them: they are read once, after it.
   * @throws StartError for one that guards access and is wrong
   */
  settings(): Config;
  /** Runs `register` of the plugins, the APIs and the project, in this order. */
  register(): Promise<void>;
  /** Runs `bootstrap` of the same. */
  bootstrap(): Promise<void>;
  /** Runs `destroy`, then `release`. */
  destroy(): Promise<void>;
  /** Reverts global changes: the global `strapi`, the names of packages. */
  release(): void;
}

/**
 * Loads the code of the Strapi v4 project that the content types come from; `hasCode` reports whether there is some.
 * @throws StartError with a line for each file that cannot be loaded
 */
export const openProject = (parts: ProjectParts): Promise<OpenProject> =>
  withinFolder(parts.config.folders.contentTypes, () => open(parts));

async function open(parts: ProjectParts): Promise<OpenProject> {
  const { config, plugins, definitions, log, httpServer } = parts;
  const folder = config.folders.contentTypes;
  const settings: Named = {};
  const server = createServer(httpServer);
  const created = createStrapi({
    models: describeModels({ ...definitions, contentTypes: [...definitions.contentTypes, adminUser] }),
    settings,
    log: createLog(log),
    serviceConfig: config,
    server,
  });
  const { strapi } = created.context;
  const madeServices: MadeServices = new Map();
  const asMade = describePlugins(parts, created, madeServices);
  const modules = createStrapiModules(created, folder, (plugin) => asMade.get(plugin));
  const release = provideGlobally(strapi, modules.provide);
  try {
    const code = loadProjectCode(config, asRecord(modules.provide), parts.failures);
    const names = [...plugins.map(({ name }) => name), 'email'];
    Object.assign(settings, defaultSettings(config, code.settings, folder, names));
    server.app.keys = strapi.config.get('server.app.keys') as string[];
    const own: PluginServer[] = [];
    for (const plugin of code.plugins) {
      try {
        own.push(await loadPluginServer(plugin, code, config));
      } catch (error) {
        noteFailure(error, parts.failures);
      }
    }
    const { servers, replacedActions, panelChanges } = await extendPlugins(parts, { asMade, own }, created, code);
    const added = addTypes(created, servers);
    const extended = plugins.filter(({ name }) => code.extensions.has(name));
    addApis(created, code);
    const providers = new Map(
      plugins.flatMap(({ name, fileProvider }) => (fileProvider === undefined ? [] : [[name, fileProvider] as const])),
    );
    for (const [name, service] of providers)
      madeServices.set(`strapi.plugin('${name}').provider`, { service, members: membersOf(service) });
    addPlugins(created, servers, providers);
    const owners = ownersOf(servers, code);
    const run = (phase: Phase): Promise<void> => runPhase(phase, owners, { folder, strapi });
    return {
      strapi,
      created,
      code,
      server,
      get definitions() {
        const withPlugins = { ...definitions, contentTypes: [...definitions.contentTypes, ...added] };
        return addPrivateAttributes(withPlugins, strapi.config.get('api.responses.privateAttributes', []) as string[]);
      },
      routedPlugins: [...new Set([...own.map(({ name }) => name), 'email', ...code.extensions.keys()])],
      replacedActions,
      madeServices,
      modules,
      limitedActions: new Set(
        plugins
          .flatMap(offeredRoutes)
          .filter(isLimited)
          .map(({ action }) => action),
      ),
      panelChanges,
      routedActions: new Set(extended.flatMap(offeredRoutes).map(({ action }) => action)),
      settings: () => serviceSettings(config, strapi.config, server),
      register: () => run('register'),
      bootstrap: () => run('bootstrap'),
      destroy: async () => {
        try {
          strapi.cron['stop']();
          await run('destroy');
        } finally {
          release();
        }
      },
      release,
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** The plugins of the service by their names, as they are before code extends them. */
function describePlugins(
  { plugins }: ProjectParts,
  { context, form }: CreatedStrapi,
  made: MadeServices,
): ReadonlyMap<string, PluginServer> {
  const more = pluginServices(context, plugins);
  const middlewares: Named<Named> = { 'users-permissions': { rateLimit: createRateLimitMiddleware(context) } };
  const described = [
    ...plugins,
    { name: 'email', routes: [sendMailRoute(context.strapi)] },
    { name: 'content-manager' },
  ];
  return new Map(
    described.map((plugin) => {
      const server = describePlugin(plugin, more[plugin.name] ?? {}, {
        middlewares: middlewares[plugin.name],
        formOf: (route) => form.entryFormOf(context, route),
      });
      return [plugin.name, { ...server, services: rememberServices(plugin.name, server.services, made) }];
    }),
  );
}

/** The plugins of the service and the project's own, as `strapi-server` of the project extends them. */
async function extendPlugins(
  { failures }: ProjectParts,
  { asMade, own }: { readonly asMade: ReadonlyMap<string, PluginServer>; readonly own: readonly PluginServer[] },
  created: CreatedStrapi,
  code: ProjectCode,
): Promise<Pick<OpenProject, 'replacedActions' | 'panelChanges'> & { readonly servers: readonly PluginServer[] }> {
  const { context } = created;
  const { strapi } = context;
  const extend = (plugin: PluginServer): Promise<PluginServer> =>
    extendPlugin(plugin, code).catch((error: unknown) => noteFailure(error, failures) ?? plugin);
  const servers: PluginServer[] = [];
  const replacedActions: RestGuard[] = [];
  const panelChanges: string[] = [];
  // Code of the project means its own plugin of a name.
  const isOwn = (name: string): boolean => own.some((plugin) => plugin.name === name) && !isOfStrapi(name);
  for (const [name, described] of asMade) {
    if (isOwn(name)) continue;
    const actions = lodash.mapValues(described.controllers as Named<Named>, (methods) => ({ ...methods }));
    const services = { ...described.services };
    const config = strapi.config.get(`plugin.${name}`, {}) as Named;
    const changed = await extend({ ...described, config, contentTypes: schemasOf(name, created) });
    // Routes name them, also of a plugin that is returned without them.
    servers.push({ ...changed, middlewares: { ...described.middlewares, ...changed.middlewares } });
    warnOfServices(changed, services, { code, log: context.log });
    replacedActions.push(...findReplacedActions(changed, actions, code));
    panelChanges.push(...describePanelChanges(changed, actions, code));
  }
  for (const plugin of own) servers.push(await extend(plugin));
  for (const server of servers) extendTypes(server, created);
  return { servers, replacedActions, panelChanges };
}

/** What runs in each phase, in the order of Strapi v4: the plugins, the APIs, then the project. */
const ownersOf = (servers: readonly PluginServer[], { extensions, apis, index }: ProjectCode): readonly Owner[] => [
  ...servers.map((server): Owner => {
    const { name } = server;
    const file = extensions.get(name)?.file;
    return { name: `the plugin ${name}`, phases: server, file, isExtension: file !== undefined };
  }),
  ...[...apis].map(([name, api]): Owner => ({
    name: `the API ${name}`,
    phases: phasesIn(api.index),
    file: api.index?.file,
  })),
  { name: 'the project', phases: phasesIn(index), file: index?.file },
];

/** Adds the content types of the project's plugins, and returns them. */
function addTypes(
  { context, registries }: CreatedStrapi,
  servers: readonly PluginServer[],
): readonly Defined<ContentTypeDefinition>[] {
  const added = servers.flatMap(({ name, contentTypes }) =>
    Object.entries(contentTypes as Named<{ readonly schema: ContentTypeDefinition }>)
      .map(([type, { schema }]) => ({ uid: `plugin::${name}.${type}`, file: `plugin ${name}`, definition: schema }))
      .filter(({ uid }) => context.models.contentTypes[uid] === undefined),
  );
  const { contentTypes } = describeModels({ contentTypes: added, components: [] });
  for (const [uid, model] of Object.entries(contentTypes)) {
    context.models.contentTypes[uid] = model;
    registries.contentTypes.set(uid, model);
  }
  return added;
}

const kinds = ['services', 'controllers', 'policies', 'middlewares'] as const;

function addApis(created: CreatedStrapi, code: ProjectCode): void {
  const { registries, context } = created;
  for (const [name, api] of code.apis) {
    for (const kind of kinds) registries[kind].add(`api::${name}`, api[kind]);
    context.config.set(`api.${name}`, api.config);
    created.addModule('api', name, () => api.routes);
    for (const [type, lifecycles] of Object.entries(api.lifecycles)) {
      context.strapi.db.lifecycles.subscribe({ ...lifecycles, models: [`api::${name}.${type}`] });
    }
  }
  registries.policies.add('global::', code.policies);
  registries.middlewares.add('global::', code.middlewares);
}

/** @param ofFiles the providers of plugins that store files */
function addPlugins(
  created: CreatedStrapi,
  plugins: readonly PluginServer[],
  ofFiles: ReadonlyMap<string, object>,
): void {
  const { registries, context } = created;
  for (const plugin of plugins) {
    const namespace = `plugin::${plugin.name}`;
    for (const kind of kinds) registries[kind].add(namespace, plugin[kind]);
    const section = `plugin.${plugin.name}`;
    // The parts of built-in plugins are already registered.
    if (Object.keys(plugin.config).length > 0 || !context.config.has(section))
      context.config.set(section, plugin.config);
    const module = created.addModule('plugin', plugin.name, () => plugin.routes);
    const provider = plugin.name === 'email' ? emailProvider(context) : ofFiles.get(plugin.name);
    if (provider !== undefined) Object.assign(module, { provider });
  }
}
