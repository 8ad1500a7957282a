import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { StartError } from '../errors/start-error.js';
import type { PluginFactory } from '../plugins/plugin.js';

/**
 * The factory of an owner's plugin: the default export of a module, which is named by a path from the project folder or
 * as a package.
 * @throws StartError when it cannot be loaded, or is no function
 */
export async function loadPlugin(
  name: string,
  module: string,
  projectFolder: string,
): Promise<readonly [string, PluginFactory]> {
  try {
    const file = createRequire(path.join(projectFolder, 'package.json')).resolve(module);
    const { default: factory } = (await import(pathToFileURL(file).href)) as { readonly default?: unknown };
    if (typeof factory === 'function') return [name, factory as PluginFactory];
    throw new Error('its default export is no function');
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    throw new StartError(`The plugin ${name} (${module}) cannot be loaded: ${reason}`, { cause: error });
  }
}
