import { createRequire } from 'node:module';
import path from 'node:path';
import { explainLoading, loadModule } from '../config/project/load-module.js';
import { StartError } from '../errors/start-error.js';
import type { PluginFactory } from '../plugins/contract/plugin.js';

/**
 * The factory of an owner's plugin: the default export of a module, which is named by a path from the project folder or
 * as a package.
 * @throws StartError when it cannot be loaded, or is not a function
 */
export async function loadPlugin(
  name: string,
  module: string,
  projectFolder: string,
): Promise<readonly [string, PluginFactory]> {
  try {
    const file = createRequire(path.join(projectFolder, 'package.json')).resolve(module);
    const factory = await loadModule(file);
    if (typeof factory === 'function') return [name, factory as PluginFactory];
    throw new Error('its default export is not a function');
  } catch (error) {
    const reason = explainLoading(error, projectFolder);
    throw new StartError(`The plugin ${name} (${module}) cannot be loaded: ${reason}`, { cause: error });
  }
}
