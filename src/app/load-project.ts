import type { Server } from 'node:http';
import type { Config } from '../config/config.js';
import type { Logger } from '../errors/logger.js';
import type { Extension } from '../plugins/contract/extension.js';
import { loadExtension } from './load-extension.js';
import { builtInPlugins, enabledPlugins, linkDefinitions, loadDefinitions } from './load-registry.js';
import { checkExtension } from '../plugins/contract/members.js';
import { StartError } from '../errors/start-error.js';
import type { Registry } from '../content-types/model/types.js';
import { openPluginPlaces } from '../config/plugins/place-messages.js';
import { suggestion, unknownName } from '../errors/nearest-name.js';
import type { OpenProject, ProjectParts } from '../strapi/open-project.js';
import { hasCode } from '../strapi/project/find-files.js';
import { describeUnsetVariables } from '../strapi/project/unset-variables.js';

/**
 * Loads the content types, plugins and code of a project, without a database.
 * @param extension replaces the one in the project folder; `httpServer` is for its code: without one nothing listens
 * @throws StartError if something in them is invalid
 */
export async function loadProject(
  loaded: Config,
  log: Logger,
  {
    extension: given,
    httpServer,
  }: { readonly extension?: Extension | undefined; readonly httpServer?: Server | undefined },
) {
  const warn = (line: string): void => log.warn({}, line);
  const plugins = await enabledPlugins(loaded, warn);
  nameVersion(loaded, plugins, log);
  const definitions = await loadDefinitions(loaded, plugins, warn);
  const code = await openCode({ config: loaded, plugins, definitions, log, httpServer });
  // Code may have loaded more of them.
  const { missing, byDefault } = describeUnsetVariables(loaded);
  if (missing !== undefined) warn(missing);
  if (byDefault !== undefined) log.info({}, byDefault);
  const project = code?.project;
  if (code === undefined) for (const line of findUnknownPlugins(loaded)) warn(line);
  await project?.register();
  const config = project?.settings() ?? loaded;
  const registry = linkDefinitions(project?.definitions ?? definitions, plugins, project?.created.customFields, warn);
  if (given !== undefined) checkExtension('extension', given);
  const extension = given ?? (await loadExtension(config.folders.project));
  checkLifecycles(extension, registry);
  return {
    /** The configuration, with the settings of the project's code. */
    config,
    plugins,
    registry,
    extension,
    code,
  };
}

export type LoadedProject = Awaited<ReturnType<typeof loadProject>>;

/** Says which version of Strapi the project is written for, and whether its clients get another form. */
function nameVersion(
  { strapi: { major, name } }: Config,
  plugins: readonly { readonly name: string }[],
  log: Logger,
): void {
  if (name === undefined) return;
  log.info({}, `A project of Strapi ${major} (${name})`);
  if (major === 5 && !plugins.some((plugin) => plugin.name === 'strapi5'))
    log.warn(
      {},
      'Its clients get the form of Strapi 4: the plugin strapi5 has that of Strapi 5, see docs/from-strapi-5.md',
    );
}

/** @throws StartError for lifecycles of unknown content types, which would never run */
function checkLifecycles({ lifecycles = {} }: Extension, { contentTypes }: Registry): void {
  const unknown = Object.keys(lifecycles).filter((uid) => !contentTypes.has(uid));
  if (unknown.length === 0) return;
  const lines = unknown.map((uid) => `lifecycles: ${unknownName(uid, 'content type', contentTypes.keys())}`);
  throw new StartError(lines.join('\n'));
}

/**
 * A line for each unknown plugin in the plugins file, whose settings have no effect, with its position
 * and a suggestion.
 */
export function findUnknownPlugins(config: Pick<Config, 'plugins' | 'folders' | 'environment'>): readonly string[] {
  const { plugins } = config;
  const unknown = Object.keys(plugins).filter(
    (name) => !builtInPlugins.has(name) && plugins[name]?.resolve === undefined,
  );
  const places = openPluginPlaces(config);
  return unknown.map(
    (name) => `${places.of(name)}: unknown plugin "${name}" has no effect${suggestion(name, builtInPlugins)}`,
  );
}

/**
 * The code of the Strapi v4 project that the content types come from, with what the service uses of it; undefined if
 * there is none. Its modules are loaded on demand: the packages that they import take a tenth of a second.
 * @throws StartError with a line for each file that cannot be loaded
 */
async function openCode(parts: ProjectParts) {
  if (!hasCode(parts.config.folders.contentTypes)) return undefined;
  const strapi = await import('../strapi/index.js');
  const project: OpenProject = await strapi.openProject(parts);
  strapi.logReport(strapi.describeProject(project, parts.config, builtInPlugins), project.created.context.log);
  return {
    project,
    actions: () => strapi.listCodeActions(project),
    /** Whether only the routes of code lead to this action of a plugin. */
    routes: (action: string | undefined) => strapi.isRouted(project, action),
    strategies: strapi.openStrategies(project),
    authentication: () => strapi.findAuthenticationCode(project.strapi),
    graphql: () => strapi.openGraphql(project),
    namedPolicies: (extension: Extension) => strapi.namedPolicies(extension, project),
    restGuards: () => strapi.listRestGuards(project),
    serve: (parts: Parameters<typeof strapi.serveProject>[1]) => strapi.serveProject(project, parts),
  };
}
