import type { Config } from '../config/config.js';
import { extendContentTypes } from '../content-types/extend-content-types.js';
import { link } from '../content-types/link.js';
import { load } from '../content-types/load.js';
import type { Registry } from '../content-types/types.js';
import { createApiTokens } from '../plugins/api-tokens/api-tokens.js';
import { createContentTypeBuilder } from '../plugins/content-type-builder/content-type-builder.js';
import { createGraphql } from '../plugins/graphql/plugin.js';
import { createI18n } from '../plugins/i18n/i18n.js';
import { createDocumentation } from '../plugins/documentation/documentation.js';
import { createLandingPage } from '../plugins/landing-page/landing-page.js';
import { loadPlugin } from './load-plugin.js';
import type { Plugin, PluginFactory } from '../plugins/plugin.js';
import { createUpload } from '../plugins/upload/upload.js';
import { createUsersPermissions } from '../plugins/users-permissions/users-permissions.js';

/**
 * The plugins, in the order in which they work. What looks at every write starts before what writes at its start; users'
 * tokens are known by themselves, so they are asked for before those that have to be looked up.
 */
const factories: Readonly<Record<string, PluginFactory>> = {
  upload: createUpload,
  i18n: createI18n,
  'users-permissions': createUsersPermissions,
  'api-tokens': createApiTokens,
  'content-type-builder': createContentTypeBuilder,
  graphql: createGraphql,
  documentation: createDocumentation,
  'landing-page': createLandingPage,
};

/**
 * Makes the plugins that the project does not turn off: those of this package, then the owner's.
 * @throws StartError when a plugin's settings are wrong, or an owner's plugin cannot be loaded
 */
export async function enabledPlugins({
  plugins,
  folders,
}: Pick<Config, 'plugins'> & { readonly folders: Pick<Config['folders'], 'project'> }): Promise<readonly Plugin[]> {
  const own = Object.entries(plugins).flatMap(([name, { resolve }]) =>
    resolve === undefined ? [] : [loadPlugin(name, resolve, folders.project)],
  );
  const all = [...Object.entries(factories), ...(await Promise.all(own))];
  return all
    .filter(([name]) => plugins[name]?.enabled !== false)
    .map(([name, create]) => create(plugins[name]?.config ?? {}));
}

/**
 * The project's content types and those of the plugins.
 * @throws StartError when definitions are broken
 */
export async function loadRegistry(
  { folders }: { readonly folders: Pick<Config['folders'], 'contentTypes'> },
  plugins: readonly Plugin[],
): Promise<Registry> {
  const { contentTypes, components, extensions } = await load(folders.contentTypes);
  const own = plugins.flatMap((plugin) => plugin.contentTypes ?? []);
  const all = [...extendContentTypes(own, extensions), ...contentTypes];
  const additions = all.map((type) => {
    const added = plugins.map(({ attributes }) => attributes?.(type));
    return [type.uid, Object.assign({}, ...added) as NonNullable<(typeof added)[number]>] as const;
  });
  return link({ contentTypes: all, components }, { additions: new Map(additions) });
}
