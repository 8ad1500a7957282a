import lodash from 'lodash';
import type { Config } from '../../config/config.js';
import { isRecord } from '../../config/record.js';
import { createEnv } from '../../config/project/env.js';
import { formatPlace, locateSetting } from '../../config/project/locate-setting.js';
import { explainLoading } from '../../config/project/load-module.js';
import { reasonOf } from '../../errors/reason-of.js';
import { StartError } from '../../errors/start-error.js';
import type { RestGuard } from '../../plugins/contract/access/policy-request.js';
import { guardedMembers } from '../services/guarded-members.js';
import type { CreatedStrapi } from '../create-strapi.js';
import type { Anything, Named, StrapiContext } from '../strapi.js';
import type { Phases, ProjectCode } from './load-project.js';
import { serverFile, type FoundPlugin } from './find-plugins.js';
import { isPanelAction } from './panel-parts.js';
import { wholeActions } from './upload-actions.js';

/** The complete `strapi-server` exports of a plugin by Strapi v4's contract, with its settings. */
export interface PluginServer extends Phases {
  readonly name: string;
  config: Named;
  contentTypes: Named;
  services: Named;
  controllers: Named;
  policies: Named;
  middlewares: Named;
  routes: Anything;
}

/** @throws StartError if its code cannot be loaded, or refuses its settings */
export async function loadPluginServer(
  { name, folder, settings }: FoundPlugin,
  { load, folder: project }: ProjectCode,
  { variables, environment }: Pick<Config, 'variables' | 'environment'>,
): Promise<PluginServer> {
  const file = serverFile(folder) ?? folder;
  try {
    const env = createEnv(variables);
    const loaded: Anything = load(file);
    const exported: Named = typeof loaded === 'function' ? loaded({ env }) : loaded;
    const { default: defaults, validator } = (exported['config'] ?? {}) as Named;
    const values: Named = typeof defaults === 'function' ? defaults({ env }) : (defaults ?? {});
    const config = lodash.defaultsDeep({}, settings, values) as Named;
    try {
      await validator?.(config);
    } catch (error) {
      const setting = { file: 'config/plugins', keys: [name, 'config'] };
      const place = formatPlace(locateSetting([project], environment, setting));
      throw new StartError(`${place}: the plugin ${name} refuses its settings: ${reasonOf(error)}`, { cause: error });
    }
    return completeServer({ ...exported, name, config });
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`The plugin ${name} cannot be loaded: ${explainLoading(error, project)}`, { cause: error });
  }
}

const nothing = (): void => undefined;

/** The defaults of a plugin's omitted parts. */
export const completeServer = (server: Partial<PluginServer> & { readonly name: string }): PluginServer => ({
  register: nothing,
  bootstrap: nothing,
  destroy: nothing,
  config: {},
  contentTypes: {},
  services: {},
  controllers: {},
  policies: {},
  middlewares: {},
  routes: [],
  ...server,
});

/**
 * Lets the `strapi-server` of the project change or replace a plugin, which keeps its name.
 * @throws StartError with the file if it throws, or returns no plugin
 */
export async function extendPlugin(plugin: PluginServer, { extensions, folder }: ProjectCode): Promise<PluginServer> {
  const extension = extensions.get(plugin.name);
  if (extension?.content === undefined) return plugin;
  const { file, content } = extension;
  const refuse = (problem: string, cause?: unknown): never => {
    throw new StartError(`${file}: ${problem}`, { cause });
  };
  let result: unknown = typeof content === 'function' ? undefined : { ...plugin, ...content };
  try {
    result ??= (await content(plugin)) ?? plugin;
  } catch (error) {
    refuse(explainLoading(error, folder), error);
  }
  if (!isRecord(result)) return refuse(`returns ${typeof result}, and no plugin ${plugin.name}`);
  const parts = Object.entries(result).filter(([, part]) => part !== undefined && part !== null);
  const invalid = parts.filter(([name, part]) => Object.hasOwn(types, name) && typeof part !== types[name]);
  if (invalid.length > 0) refuse(invalid.map(([name]) => `${name} must be ${types[name]}`).join(', '));
  return completeServer({ ...Object.fromEntries(parts), name: plugin.name });
}

/** The types of a plugin's parts by Strapi v4's contract. */
const types: Readonly<Record<string, 'object' | 'function'>> = {
  config: 'object',
  contentTypes: 'object',
  services: 'object',
  controllers: 'object',
  policies: 'object',
  middlewares: 'object',
  routes: 'object',
  register: 'function',
  bootstrap: 'function',
  destroy: 'function',
};

type PluginTypes = Named<{ readonly schema?: Named; readonly lifecycles?: Named }>;

/** The content types of a built-in plugin by their names, which `strapi-server` can change. */
export const schemasOf = (plugin: string, { context }: CreatedStrapi): PluginTypes =>
  Object.fromEntries(
    Object.entries(context.models.contentTypes).flatMap(([uid, { __schema__: schema }]) => {
      const prefix = `plugin::${plugin}.`;
      return uid.startsWith(prefix) ? [[uid.slice(prefix.length), { schema: schema as Named }]] : [];
    }),
  );

/** Adds attributes of a replaced schema, and subscribes the lifecycles of content types. */
export function extendTypes({ name, contentTypes }: PluginServer, { context }: CreatedStrapi): void {
  for (const [type, { schema, lifecycles }] of Object.entries<PluginTypes[string]>(contentTypes)) {
    const uid = `plugin::${name}.${type}`;
    const model = context.models.contentTypes[uid];
    const attributes = schema?.['attributes'] as Named<Named> | undefined;
    if (model !== undefined && attributes !== undefined) Object.assign(model.attributes, attributes);
    if (lifecycles !== undefined) context.strapi.db.lifecycles.subscribe({ ...lifecycles, models: [uid] });
  }
}

/** The actions that `strapi-server` replaces. @param offered those before, by controller */
export const findReplacedActions = (
  { name, controllers }: PluginServer,
  offered: Named<Named>,
  { extensions }: Pick<ProjectCode, 'extensions'>,
): readonly RestGuard[] =>
  Object.entries(offered).flatMap(([controller, actions]) =>
    Object.keys(actions).flatMap((action) => {
      const uid = `plugin::${name}.${controller}.${action}`;
      const isReplaced = controllers[controller]?.[action] !== actions[action] && !isPanelAction(actions[action]);
      const guard = `controller "${controller}" in ${extensions.get(name)?.file}`;
      return isReplaced ? [{ action: wholeActions[uid] ?? uid, guard, replaces: true }] : [];
    }),
  );

/**
 * A line for each action of Strapi's admin panel that `strapi-server` replaces.
 * @param offered those before, by controller
 */
export const describePanelChanges = (
  { name, controllers }: PluginServer,
  offered: Named<Named>,
  { extensions }: Pick<ProjectCode, 'extensions'>,
): readonly string[] =>
  Object.entries(offered).flatMap(([controller, actions]) =>
    Object.entries(actions).flatMap(([action, original]) =>
      isPanelAction(original) && controllers[controller]?.[action] !== original
        ? [`${extensions.get(name)?.file}: ${controller}.${action} has no effect: Strapi's admin panel is not there`]
        : [],
    ),
  );

const askedOf = (uid: string): string => {
  const asked = Object.keys(lodash.pickBy(guardedMembers[uid], (fate) => fate === 'asked'));
  return asked.length === 0 ? 'nothing of it' : `nothing of it but ${asked.join(' and ')}`;
};

/**
 * Warns of services that `strapi-server` replaces, of which routes of the plugin call no more than what they ask to
 * identify callers.
 */
export function warnOfServices(
  { name, services }: PluginServer,
  offered: Named,
  { code, log }: { readonly code: ProjectCode; readonly log: StrapiContext['log'] },
): void {
  const file = code.extensions.get(name)?.file;
  for (const service of Object.keys(offered)) {
    if (file !== undefined && services[service] !== offered[service])
      log.warn(
        `${file}: the service "${service}" is replaced for code; the routes of ${name} call ${askedOf(`plugin::${name}.${service}`)}`,
      );
  }
}
