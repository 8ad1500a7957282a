import fs from 'node:fs';
import path from 'node:path';
import { reasonOf } from '../../errors/reason-of.js';
import { StartError } from '../../errors/start-error.js';
import { createEnv } from '../project/env.js';
import { explainLoading, findModule, loadModule } from '../project/load-module.js';
import { parsePlugins, type PluginSettings, type PluginsFile } from './parse-plugins.js';
import type { Environment } from '../parse-variables.js';

/**
 * The settings of the plugins: from the project's `config/plugins.js`, which may also be TypeScript, another kind of module, or
 * JSON, else from this repository's own. A function there is called with `{ env }`, as in Strapi v4.
 * @param contentTypes the folder of the content types: that of a Strapi v4 project has such a file too. What the project
 * folder says
 * of a plugin counts before it
 * @throws StartError when a file cannot be read, or with a line for each error in it
 */
export async function loadPlugins(
  projectFolder: string,
  environment: Environment,
  contentTypes = projectFolder,
): Promise<Readonly<Record<string, PluginSettings>>> {
  const settings: Record<string, PluginSettings> = {};
  const files = [...new Set([contentTypes, projectFolder])].flatMap(
    (folder) => findModule(path.join(folder, 'config', 'plugins'), ['.json']) ?? [],
  );
  for (const file of files) {
    const folder = path.dirname(path.dirname(file));
    const name = path.relative(folder, file);
    const lenient = fs.existsSync(path.join(folder, 'src', 'api'));
    Object.assign(settings, parsePlugins(await read(file, folder, environment), name, { lenient }));
  }
  return files.length === 0 ? parsePlugins(plugins, 'src/config/plugins.ts') : settings;
}

async function read(file: string, folder: string, environment: Environment): Promise<unknown> {
  const name = path.relative(folder, file);
  try {
    if (file.endsWith('.json')) return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    throw new StartError(`${name} cannot be read: ${reasonOf(error)}`, { cause: error });
  }
  try {
    const content = await loadModule(file);
    return typeof content === 'function' ? await content({ env: createEnv(environment) }) : content;
  } catch (error) {
    throw new StartError(`${name} cannot be read: ${explainLoading(error, folder)}`, { cause: error });
  }
}

/** This repository's plugins file. A project has its own in config/plugins.js. */
export const plugins: PluginsFile = {};
