import fs from 'node:fs';
import path from 'node:path';
import lodash from 'lodash';
import { createEnv } from '../../config/project/env.js';
import { explainLoading } from '../../config/project/load-module.js';
import type { PluginSettings } from '../../config/plugins/parse-plugins.js';
import { StartError } from '../../errors/start-error.js';
import type { Anything, Named } from '../strapi.js';
import type { ProjectCode } from './code.js';

/** What a plugin exports as `strapi-server`, by Strapi v4's contract; complete, with its settings. */
export interface PluginServer {
  readonly name: string;
  register?: Anything;
  bootstrap?: Anything;
  destroy?: Anything;
  config: Named;
  contentTypes: Named;
  services: Named;
  controllers: Named;
  policies: Named;
  middlewares: Named;
  routes: Anything;
}

/** A plugin with server code, and where it is. */
export interface FoundPlugin {
  readonly name: string;
  readonly folder: string;
  readonly settings: Named;
}

/** The plugins with server code that a project turns on: those that `resolve` leads to, and installed packages. */
export function findPlugins(
  folder: string,
  settings: Readonly<Record<string, PluginSettings>>,
): readonly FoundPlugin[] {
  const installed = dependenciesOf(folder).flatMap((name): FoundPlugin[] => {
    const place = packageFolder(folder, name);
    const { strapi } = readPackage(place);
    if (strapi?.['kind'] !== 'plugin' || name.startsWith('@strapi/') || !isPluginFolder(place)) return [];
    return [{ name: String(strapi['name'] ?? name), folder: place, settings: {} }];
  });
  const named = Object.entries(settings).flatMap(([name, { resolve }]): FoundPlugin[] => {
    const place = resolve === undefined ? undefined : pluginFolder(folder, resolve);
    return place !== undefined && isPluginFolder(place) ? [{ name, folder: place, settings: {} }] : [];
  });
  const all = new Map([...installed, ...named].map((plugin) => [plugin.name, plugin]));
  return [...all.values()]
    .filter(({ name }) => settings[name]?.enabled !== false)
    .map((plugin) => ({ ...plugin, settings: { ...settings[plugin.name]?.config } }));
}

/** Does `resolve` of a plugins file lead to a plugin by Strapi's contract? */
export const isStrapiPlugin = (folder: string, resolve: string): boolean =>
  isPluginFolder(pluginFolder(folder, resolve));

const endings = ['.js', '.cjs', '.mjs', '.ts'];
const serverIn = (folder: string): string | undefined =>
  endings.map((ending) => path.join(folder, `strapi-server${ending}`)).find((file) => fs.existsSync(file));
const isPluginFolder = (folder: string): boolean =>
  serverIn(folder) !== undefined || exportsServer(folder) !== undefined;

function exportsServer(folder: string): string | undefined {
  const { exports } = readPackage(folder);
  const server: unknown = exports?.['./strapi-server'];
  const file: unknown =
    typeof server === 'string' ? server : ((server as Named)?.['require'] ?? (server as Named)?.['default']);
  return typeof file === 'string' ? path.join(folder, file) : undefined;
}

/** Where `resolve` of a plugins file leads to. */
function pluginFolder(folder: string, resolve: string): string {
  const place = path.resolve(folder, resolve);
  const isPath = resolve.startsWith('.') || path.isAbsolute(resolve);
  return isPath || isPluginFolder(place) ? place : packageFolder(folder, resolve);
}

/** Where a package is installed: in the project, or in a folder above it. */
function packageFolder(folder: string, name: string): string {
  const own = path.join(folder, 'node_modules', name);
  const above = path.dirname(folder);
  return fs.existsSync(own) || above === folder ? own : packageFolder(above, name);
}

/** Installed packages that are plugins by Strapi's contract, by the names of the plugins: some have code for the admin panel alone. */
export const installedPlugins = (folder: string): readonly string[] =>
  dependenciesOf(folder).flatMap((name) => {
    const { strapi } = readPackage(packageFolder(folder, name));
    return strapi?.['kind'] === 'plugin' ? [String(strapi['name'] ?? name)] : [];
  });

interface PackageFile {
  readonly dependencies?: Named;
  readonly strapi?: Named;
  readonly exports?: Named;
}

function readPackage(folder: string): PackageFile {
  const file = path.join(folder, 'package.json');
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as PackageFile) : {};
}

const dependenciesOf = (folder: string): readonly string[] => Object.keys(readPackage(folder).dependencies ?? {});

/** @throws StartError when its code cannot be loaded, or refuses its settings */
export function loadPluginServer(
  { name, folder, settings }: FoundPlugin,
  { load, folder: project }: ProjectCode,
  variables: Readonly<Record<string, string | undefined>>,
): PluginServer {
  const file = exportsServer(folder) ?? serverIn(folder) ?? folder;
  const fail = (error: unknown): never => {
    throw new StartError(`The plugin ${name} cannot be loaded: ${explainLoading(error, project)}`, { cause: error });
  };
  try {
    const env = createEnv(variables);
    const loaded: Anything = load(file);
    const exported: Named = typeof loaded === 'function' ? loaded({ env }) : loaded;
    const { default: defaults, validator } = (exported['config'] ?? {}) as Named;
    const values: Named = typeof defaults === 'function' ? defaults({ env }) : (defaults ?? {});
    const config = lodash.defaultsDeep({}, settings, values) as Named;
    validator?.(config);
    return completeServer({ ...exported, name, config });
  } catch (error) {
    return fail(error);
  }
}

/** The parts that a plugin leaves out. */
export const completeServer = (server: Partial<PluginServer> & { readonly name: string }): PluginServer => ({
  config: {},
  contentTypes: {},
  services: {},
  controllers: {},
  policies: {},
  middlewares: {},
  routes: [],
  ...server,
});
