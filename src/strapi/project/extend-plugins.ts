import { explainLoading } from '../../config/project/load-module.js';
import { StartError } from '../../errors/start-error.js';
import type { RestGuard } from '../../plugins/contract/access/policy-request.js';
import type { CreatedStrapi } from '../create-strapi.js';
import type { Anything, Named, StrapiContext } from '../strapi.js';
import type { ProjectCode } from './code.js';
import type { PluginServer } from './plugin-server.js';

/** Lets the `strapi-server` of the project change a plugin. @throws StartError with file and line if it throws */
export function extendPlugin(plugin: PluginServer, { extensions, folder }: ProjectCode): PluginServer {
  const extension: Anything = extensions.get(plugin.name)?.content;
  if (typeof extension !== 'function') return extension === undefined ? plugin : { ...plugin, ...extension };
  try {
    return (extension(plugin) as PluginServer | undefined) ?? plugin;
  } catch (error) {
    const file = extensions.get(plugin.name)?.file;
    throw new StartError(`${file}: ${explainLoading(error, folder)}`, { cause: error });
  }
}

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

/** The actions of a plugin by controller, as they are before `strapi-server` changes them. */
export const copyActions = ({ controllers }: PluginServer): Named<Named> =>
  Object.fromEntries(Object.entries(controllers).map(([name, actions]) => [name, { ...actions }]));

/** The actions that `strapi-server` replaces. */
export const findReplacedActions = (
  { name, controllers }: PluginServer,
  offered: Named<Named>,
  { extensions }: Pick<ProjectCode, 'extensions'>,
): readonly RestGuard[] =>
  Object.entries(offered).flatMap(([controller, actions]) =>
    Object.keys(actions).flatMap((action) => {
      const uid = `plugin::${name}.${controller}.${action}`;
      const isReplaced = controllers[controller]?.[action] !== actions[action];
      const guard = `controller "${controller}" in ${extensions.get(name)?.file}`;
      return isReplaced ? [{ action: uid, guard, replaces: true }] : [];
    }),
  );

/** Warns of services that `strapi-server` replaces and routes of the plugin do not call. */
export function warnOfServices(
  { name, services }: PluginServer,
  offered: Named,
  { code, log }: { readonly code: ProjectCode; readonly log: StrapiContext['log'] },
): void {
  const file = code.extensions.get(name)?.file;
  for (const service of Object.keys(offered)) {
    if (file !== undefined && services[service] !== offered[service])
      log.warn(`${file}: the service "${service}" is replaced for code; the routes of ${name} do not call it`);
  }
}
