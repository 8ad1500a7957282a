import { listDraftsActions } from '../documents/hide-drafts.js';
import { StartError } from '../errors/start-error.js';
import type { Access } from '../plugins/contract/access/access.js';
import { createActionGuards } from '../plugins/contract/access/action-guards.js';
import { listActions } from '../plugins/contract/access/actions.js';
import type { ExtensionContext } from '../plugins/contract/extension.js';
import { checkResult } from '../plugins/contract/members.js';
import { routesOf, type Route } from '../plugins/contract/routes.js';
import type { LoadedProject } from './load-project.js';
import { checkShortcuts } from './shortcuts.js';
import type { Registry } from '../content-types/model/types.js';
import type { FileChanges } from '../content-types/load/read-json-files.js';
import { readBeside } from '../content-types/load/read-beside.js';
import { parseAccess } from '../plugins/contract/access/parse-access.js';

/**
 * @throws StartError if `access.json` or a guard names an unknown action, or a route has an unknown member or could
 * bypass code of the project
 */
export async function collectRoutes(
  { config, plugins, registry, extension, code }: LoadedProject,
  context: ExtensionContext,
) {
  const own = typeof extension.routes === 'function' ? extension.routes(context) : (extension.routes ?? []);
  checkResult('extensions/index', 'routes', own);
  const ofPlugins = plugins.flatMap((plugin) => {
    const routes = routesOf(plugin, registry, config.environment);
    checkResult(`Plugin ${plugin.name}`, 'routes', routes);
    return routes;
  });
  checkShortcuts(registry, ofPlugins);
  const routes = [...own, ...ofPlugins];
  checkActions(routes);
  const { common, drafts, ofCopies } = listAllActions({ plugins, code }, registry, routes);
  const actions = [...common, ...(config.drafts === 'restricted' ? drafts : ofCopies)];
  return {
    /** In the order in which they are matched. */
    routes,
    /** Those of the project. */
    ownRoutes: new Set<Route>(own),
    /** Those of them that the service answers by itself: code of the project decides how the others are reached. */
    mounted: [...own, ...ofPlugins.filter(({ action }) => code?.routes(action) !== true)],
    actions,
    // The file can name them in both modes, so that a project can switch.
    declared: await loadAccess({ config, registry }, [...common, ...drafts], (line) => context.log.warn(line)),
    /** The policies of the project before an action. */
    guards: createActionGuards(extension.guards ?? {}, actions, context),
  };
}

/**
 * Roles show actions as a tree of type, controller and name, and get it back from forms: an action of another form
 * would not come back as itself.
 * @throws StartError naming the route
 */
export function checkActions(routes: readonly Pick<Route, 'method' | 'path' | 'action'>[]): void {
  for (const { method, path, action } of routes)
    if (action !== undefined && !/^[^.]+(?:\.[^.]+){2,}$/.test(action))
      throw new StartError(
        `The route ${method} ${path} needs the action ${action}: name it in three parts, such as plugin::shop.order.find`,
      );
}

export type CollectedRoutes = Awaited<ReturnType<typeof collectRoutes>>;

const listAllActions = (
  { plugins, code }: Pick<LoadedProject, 'plugins' | 'code'>,
  registry: Registry,
  routes: readonly Route[],
) => ({
  common: [...listActions(registry, plugins, routes), ...(code?.actions() ?? [])],
  drafts: listDraftsActions(registry.contentTypes.values()),
  /** Working copies need them, whoever sees drafts. */
  ofCopies: listDraftsActions([...registry.contentTypes.values()].filter(({ copies }) => copies !== undefined)),
});

/** @throws StartError if `access.json`, with the changes, would not fit other content types */
export async function checkAccess(
  { config, ...project }: LoadedProject,
  registry: Registry,
  routes: readonly Route[],
  changes: FileChanges,
): Promise<void> {
  const { common, drafts } = listAllActions(project, registry, routes);
  await loadAccess({ config, registry }, [...common, ...drafts], undefined, changes);
}

/**
 * The declarations of `access.json` next to the content types; undefined without this file.
 * @param actions every action that can be allowed
 * @throws StartError with a line for each error
 */
async function loadAccess(
  { config, registry }: Pick<LoadedProject, 'config' | 'registry'>,
  actions: readonly string[],
  warn?: (line: string) => void,
  changes?: FileChanges,
): Promise<Access | undefined> {
  const { environment, folders, variables } = config;
  const read = await readBeside(folders, 'access', warn, changes);
  const { contentTypes } = registry;
  const context = { actions: new Set(actions), contentTypes, variables, allowMissingKeys: environment === 'test' };
  return read && parseAccess(read, context);
}
