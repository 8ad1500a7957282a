import fs from 'node:fs';
import path from 'node:path';
import type { OptionalPackage } from './optional-package.js';
import { packageFolder } from './package-folder.js';
import { readJson } from './read-json.js';

/** What npm writes into `node_modules`. */
interface InstalledPackages {
  readonly packages?: Readonly<Record<string, { readonly resolved?: string }>>;
}

/** The folder in whose `node_modules` this package is; undefined in a clone. */
export function installationFolder(): string | undefined {
  const modules = path.dirname(packageFolder);
  return path.basename(modules) === 'node_modules' ? path.dirname(modules) : undefined;
}

/** Where npm has a package from, as it records that: an address, or `file:` with a path from the folder. */
export function installedFrom(name: string): string | undefined {
  const folder = installationFolder();
  const record = path.join(folder ?? packageFolder, 'node_modules', '.package-lock.json');
  const { packages = {} } = fs.existsSync(record) ? (readJson(record) as InstalledPackages) : {};
  return packages[`node_modules/${name}`]?.resolved;
}

/**
 * The file that a package was installed from, and may be gone; undefined if it came from a registry, or is not
 * installed.
 */
export function installedTarball(name: string): string | undefined {
  const [folder, resolved] = [installationFolder(), installedFrom(name)];
  if (folder === undefined || resolved?.startsWith('file:') !== true) return undefined;
  // Of all signs in a path, npm writes this one in another way.
  return path.resolve(folder, resolved.slice('file:'.length).replaceAll('%23', '#'));
}

/**
 * The file of a package, beside that of the service of the same release: a path or an address,
 * `content-service-mcp-0.2.0.tgz`.
 */
export const fileBeside = (service: string, name: OptionalPackage): string =>
  service.replace(/content-service-(?=[^/\\]*$)/, `content-service-${name}-`);
