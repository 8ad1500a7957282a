import fs from 'node:fs';
import path from 'node:path';
import type { PluginSettings } from '../../config/plugins/parse-plugins.js';
import {
  dependencyVersions,
  installedPlugins,
  isPluginPackage,
  packageFolder,
  readPackage,
} from '../../config/project/plugin-packages.js';
import { wellKnownCustomFields } from '../../content-types/load/custom-fields.js';
import type { Named } from '../strapi.js';

/** A plugin with server code, and its folder. */
export interface FoundPlugin {
  readonly name: string;
  readonly folder: string;
  readonly settings: Named;
}

/** Packages of Strapi with a counterpart here, some with a note; all others run by the contract of plugins. */
const replacedPackages: ReadonlyMap<string | undefined, string | undefined> = new Map([
  ['@strapi/plugin-users-permissions', undefined],
  ['@strapi/plugin-i18n', undefined],
  ['@strapi/plugin-upload', undefined],
  ['@strapi/plugin-email', undefined],
  ['@strapi/plugin-graphql', undefined],
  ['@strapi/plugin-documentation', 'the service describes its routes itself, with its own plugin documentation'],
  ['@strapi/plugin-cloud', "it deploys a project from Strapi's admin panel, which is not there"],
  ['@strapi/plugin-content-manager', "Strapi's admin panel is not there"],
  [
    '@strapi/plugin-content-type-builder',
    "Strapi's admin panel is not there; the plugin of the service describes the content types",
  ],
]);

/** The settings of plugins, by name. */
type AllSettings = Readonly<Record<string, PluginSettings>>;

/** The enabled plugins with server code of a project: those of `resolve`, and installed packages. */
export const findPlugins = (folder: string, settings: AllSettings): readonly FoundPlugin[] =>
  enabledFolders(folder, settings)
    .filter(([, pluginFolder]) => isPluginFolder(pluginFolder) && !isReplaced(pluginFolder))
    .map(([name, pluginFolder]) => ({ name, folder: pluginFolder, settings: { ...settings[name]?.config } }));

/** A line for each enabled plugin if its package does not run, or runs from source instead of a build. */
export const describePackages = (folder: string, settings: AllSettings): readonly string[] =>
  enabledFolders(folder, settings).flatMap(([name, pluginFolder]) => {
    const withoutEffect = `the package of the plugin ${name} has no effect`;
    if (isReplaced(pluginFolder)) {
      const reason = replacedPackages.get(readPackage(pluginFolder).name);
      return reason === undefined ? [] : [`${withoutEffect}: ${reason}`];
    }
    const source = unbuiltServer(pluginFolder);
    if (source !== undefined) return [`the plugin ${name} is not built: ${path.relative(folder, source)} runs`];
    return isPluginPackage(pluginFolder) && isForPanel(pluginFolder) && !isPluginFolder(pluginFolder)
      ? [`${withoutEffect}: it has code for Strapi's admin panel only, which is not there`]
      : [];
  });

/** Packages without this and without server code can be used by other plugins. */
const isForPanel = (pluginFolder: string): boolean =>
  fs.existsSync(path.join(pluginFolder, 'strapi-admin.js')) ||
  './strapi-admin' in (readPackage(pluginFolder).exports ?? {});

/** The folders of a project's enabled plugins, by name. */
function enabledFolders(folder: string, settings: AllSettings): readonly (readonly [name: string, folder: string])[] {
  const installed = installedPlugins(folder);
  const named = Object.entries(settings).flatMap(([name, { resolve }]) =>
    resolve === undefined ? [] : [[name, pluginFolder(folder, resolve)] as const],
  );
  return [...new Map([...installed, ...named])].filter(([name]) => settings[name]?.enabled !== false);
}

/** Whether Strapi itself has a plugin with this name, which the service replaces. */
export const isOfStrapi = (name: string): boolean => replacedPackages.has(`@strapi/plugin-${name}`);

/**
 * The names of a project's own plugins: those of `resolve`, and packages in its dependencies. A name that Strapi does
 * not have is the project's, whatever the service calls its own plugins.
 */
export const namesOfProject = (folder: string, settings: AllSettings): ReadonlySet<string> =>
  new Set(
    [
      ...installedPlugins(folder).keys(),
      ...missingPackages(folder, settings).map(({ plugin }) => plugin),
      ...Object.keys(settings).filter((name) => settings[name]?.resolve !== undefined),
    ].filter((name) => !isOfStrapi(name)),
  );

const isReplaced = (folder: string): boolean => replacedPackages.has(readPackage(folder).name);

/** Copies of Strapi's own plugins in a project, by `resolve`, which do not run. */
export const copiedPlugins = (folder: string, settings: AllSettings): readonly string[] =>
  Object.entries(settings).flatMap(([name, { resolve, enabled }]) =>
    enabled && resolve !== undefined && isReplaced(pluginFolder(folder, resolve)) ? [name] : [],
  );

/** Whether `resolve` of a plugins file is a plugin by Strapi's contract. */
export const isStrapiPlugin = (folder: string, resolve: string): boolean =>
  isPluginFolder(pluginFolder(folder, resolve));

const endings = ['.js', '.cjs', '.mjs', '.ts'];
const serverIn = (folder: string): string | undefined =>
  endings.map((ending) => path.join(folder, `strapi-server${ending}`)).find((file) => fs.existsSync(file));
/** The file with the server code of a plugin; undefined if it has none. */
export const serverFile = (folder: string): string | undefined =>
  unbuiltServer(folder) ?? exportsServer(folder) ?? serverIn(folder);

/** The TypeScript source of a project's plugin without `dist`, which Strapi needs and few projects commit. */
const unbuiltServer = (folder: string): string | undefined =>
  folder.split(path.sep).includes('node_modules') ||
  ['dist', 'strapi-server.ts'].some((name) => fs.existsSync(path.join(folder, name)))
    ? undefined
    : ['server/index.ts', 'server/src/index.ts']
        .map((name) => path.join(folder, name))
        .find((file) => fs.existsSync(file));
const isPluginFolder = (folder: string): boolean => serverFile(folder) !== undefined;

function exportsServer(folder: string): string | undefined {
  const { exports } = readPackage(folder);
  const server: unknown = exports?.['./strapi-server'];
  const file: unknown =
    typeof server === 'string' ? server : ((server as Named)?.['require'] ?? (server as Named)?.['default']);
  return typeof file === 'string' ? path.join(folder, file) : undefined;
}

/** The folder of `resolve` in a plugins file. */
function pluginFolder(folder: string, resolve: string): string {
  const pluginFolder = path.resolve(folder, resolve);
  const isPath = resolve.startsWith('.') || path.isAbsolute(resolve);
  return isPath || isPluginFolder(pluginFolder) ? pluginFolder : packageFolder(folder, resolve);
}

/** Strapi 3's packages of what is part of Strapi 4, which loads nothing of them: `strapi-plugin-email`. */
const ofStrapi3 = (name: string): boolean =>
  name.startsWith('strapi-plugin-') && isOfStrapi(name.slice('strapi-plugin-'.length));

/** Missing dependencies with the name of a plugin, unless the service replaces them or they are disabled. */
export function missingPackages(
  folder: string,
  settings: AllSettings,
): readonly { readonly name: string; readonly plugin: string; readonly range: string }[] {
  return Object.entries(dependencyVersions(folder)).flatMap(([name, range]) => {
    const [, short = ''] = pluginName.exec(name) ?? [];
    const isOff = [name, short].some((alias) => settings[alias]?.enabled === false);
    const isThere = fs.existsSync(packageFolder(folder, name));
    const isNeeded = !replacedPackages.has(name) && !editorPlugins.has(short) && !ofStrapi3(name);
    return short === '' || isOff || isThere || !isNeeded ? [] : [{ name, plugin: short, range }];
  });
}

/** The dependency whose package has the name of a plugin, with its version. */
export function findDependency(folder: string, plugin: string): string | undefined {
  const found = Object.entries(dependencyVersions(folder)).find(([name]) => path.basename(name) === plugin);
  return found?.join('@');
}

/** Editors for the admin panel. All that they add to the API are custom fields that the service knows. */
export const editorPlugins: ReadonlySet<string> = new Set(
  Object.entries(wellKnownCustomFields)
    .filter(([, type]) => type === 'richtext')
    .map(([field]) => field.slice('plugin::'.length, field.indexOf('.'))),
);

/** `strapi-plugin-name`, `@strapi/plugin-name`, `@owner/strapi-plugin-name`. */
const pluginName = /^(?:@[^/]+\/)?(?:(?:strapi-)plugin-|(?<=@strapi\/)plugin-)(.+)$/;

/** Whether Strapi v4 would load this package of the project as a plugin. */
export const dependsOn = (folder: string, name: string): boolean => name in dependencyVersions(folder);
