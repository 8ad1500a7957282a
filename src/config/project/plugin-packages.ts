import fs from 'node:fs';
import path from 'node:path';
import { readJson } from '../read-json.js';

interface PackageFile {
  readonly name?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly strapi?: Readonly<Record<string, unknown>>;
  readonly exports?: Readonly<Record<string, unknown>>;
}

/** The `package.json` of a folder; empty: it has none. */
export function readPackage(folder: string): PackageFile {
  const file = path.join(folder, 'package.json');
  return fs.existsSync(file) ? (readJson(file) as PackageFile) : {};
}

/** The versions of the packages that a project depends on, by their names. */
export const dependencyVersions = (folder: string): Readonly<Record<string, string>> =>
  readPackage(folder).dependencies ?? {};

/** The folder of an installed package, in the project or in a parent folder. */
export function packageFolder(folder: string, name: string): string {
  const own = path.join(folder, 'node_modules', name);
  const above = path.dirname(folder);
  return fs.existsSync(own) || above === folder ? own : packageFolder(above, name);
}

/** Whether the package in a folder is a plugin by Strapi's contract. */
export const isPluginPackage = (folder: string): boolean => readPackage(folder).strapi?.['kind'] === 'plugin';

/** The installed packages of a project that are plugins, by name; some have code for the admin panel only. */
export const installedPlugins = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    Object.keys(dependencyVersions(folder)).flatMap((name) => {
      const found = packageFolder(folder, name);
      return isPluginPackage(found) ? [[String(readPackage(found).strapi?.['name'] ?? name), found] as const] : [];
    }),
  );
