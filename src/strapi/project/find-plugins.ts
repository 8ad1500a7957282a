import fs from 'node:fs';
import path from 'node:path';
import type { PluginSettings } from '../../config/plugins/parse-plugins.js';
import type { Named } from '../strapi.js';

/** A plugin with server code, and where it is. */
export interface FoundPlugin {
  readonly name: string;
  readonly folder: string;
  readonly settings: Named;
}

/**
 * The plugins with server code that a project turns on: those that `resolve` leads to, and installed packages. Those of Strapi
 * itself, and copies of them, are parts of the service.
 */
export function findPlugins(
  folder: string,
  settings: Readonly<Record<string, PluginSettings>>,
): readonly FoundPlugin[] {
  const installed = dependenciesOf(folder).flatMap((name): FoundPlugin[] => {
    const place = packageFolder(folder, name);
    const { strapi } = readPackage(place);
    if (strapi?.['kind'] !== 'plugin' || isOfStrapi(place) || !isPluginFolder(place)) return [];
    return [{ name: String(strapi['name'] ?? name), folder: place, settings: {} }];
  });
  const named = Object.entries(settings).flatMap(([name, { resolve }]): FoundPlugin[] => {
    const place = resolve === undefined ? undefined : pluginFolder(folder, resolve);
    return place !== undefined && isPluginFolder(place) && !isOfStrapi(place)
      ? [{ name, folder: place, settings: {} }]
      : [];
  });
  const all = new Map([...installed, ...named].map((plugin) => [plugin.name, plugin]));
  return [...all.values()]
    .filter(({ name }) => settings[name]?.enabled !== false)
    .map((plugin) => ({ ...plugin, settings: { ...settings[plugin.name]?.config } }));
}

const isOfStrapi = (folder: string): boolean => readPackage(folder).name?.startsWith('@strapi/') === true;

/** Plugins of Strapi itself that a project has copies of: `resolve` leads to them. */
export const copiedPlugins = (folder: string, settings: Readonly<Record<string, PluginSettings>>): readonly string[] =>
  Object.entries(settings).flatMap(([name, { resolve, enabled }]) =>
    enabled && resolve !== undefined && isOfStrapi(pluginFolder(folder, resolve)) ? [name] : [],
  );

/** Does `resolve` of a plugins file lead to a plugin by Strapi's contract? */
export const isStrapiPlugin = (folder: string, resolve: string): boolean =>
  isPluginFolder(pluginFolder(folder, resolve));

const endings = ['.js', '.cjs', '.mjs', '.ts'];
const serverIn = (folder: string): string | undefined =>
  endings.map((ending) => path.join(folder, `strapi-server${ending}`)).find((file) => fs.existsSync(file));
/** The file with the server code of a plugin; undefined if it has none. */
export const serverFile = (folder: string): string | undefined => exportsServer(folder) ?? serverIn(folder);
const isPluginFolder = (folder: string): boolean => serverFile(folder) !== undefined;

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
  readonly name?: string;
  readonly dependencies?: Named;
  readonly strapi?: Named;
  readonly exports?: Named;
}

function readPackage(folder: string): PackageFile {
  const file = path.join(folder, 'package.json');
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as PackageFile) : {};
}

const dependenciesOf = (folder: string): readonly string[] => Object.keys(readPackage(folder).dependencies ?? {});
