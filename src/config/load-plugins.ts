import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { StartError } from '../errors/start-error.js';
import { reasonOf } from '../errors/reason-of.js';
import { parsePlugins, type PluginSettings } from './parse-plugins.js';
import { plugins } from './plugins.js';

const names = ['config/plugins.js', 'config/plugins.mjs', 'config/plugins.json'];

/**
 * The settings of the plugins: from the project's `config/plugins.js`, `.mjs` or `.json`, else from this repository's own.
 * @throws StartError when the file cannot be read, or with a line for each mistake in it
 */
export async function loadPlugins(projectFolder: string): Promise<Readonly<Record<string, PluginSettings>>> {
  const file = names.find((name) => fs.existsSync(path.join(projectFolder, name)));
  if (file === undefined) return parsePlugins(plugins, 'src/config/plugins.ts');
  return parsePlugins(await read(path.join(projectFolder, file), file), file);
}

async function read(file: string, name: string): Promise<unknown> {
  try {
    if (file.endsWith('.json')) return JSON.parse(fs.readFileSync(file, 'utf8'));
    const module: { default?: unknown } = await import(pathToFileURL(file).href);
    return module.default;
  } catch (error) {
    throw new StartError(`${name} cannot be read: ${reasonOf(error)}`);
  }
}
