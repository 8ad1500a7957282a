import type { Config } from './config/config.js';
import { link } from './content-types/link.js';
import { load } from './content-types/load.js';
import type { Registry } from './content-types/types.js';
import type { Plugin } from './plugins/plugin.js';
import { upload } from './plugins/upload/upload.js';
import { usersPermissions } from './plugins/users-permissions/users-permissions.js';

/** The plugins that the project does not turn off. */
export const enabledPlugins = ({ plugins }: Config): readonly Plugin[] =>
  [upload, usersPermissions].filter(({ name }) => plugins[name]?.enabled !== false);

/**
 * The project's content types and those of the plugins.
 * @throws StartError when definitions are broken
 */
export async function loadRegistry({ folders }: Config, plugins: readonly Plugin[]): Promise<Registry> {
  const { contentTypes, components } = await load(folders.contentTypes);
  const own = plugins.flatMap((plugin) => plugin.contentTypes ?? []);
  return link({ contentTypes: [...own, ...contentTypes], components });
}
