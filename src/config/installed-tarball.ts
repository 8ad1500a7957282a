import fs from 'node:fs';
import path from 'node:path';
import { packageFolder } from './package-folder.js';
import { readJson } from './read-json.js';

/** What npm writes into `node_modules`. */
interface InstalledPackages {
  readonly packages?: Readonly<Record<string, { readonly resolved?: string }>>;
}

/** The file that a package was installed from, as npm records it, and may be gone; undefined if it came from a registry, or is not installed. */
export function installedTarball(name: string): string | undefined {
  const modules = path.dirname(packageFolder);
  const record = path.join(modules, '.package-lock.json');
  const { packages = {} } = fs.existsSync(record) ? (readJson(record) as InstalledPackages) : {};
  const { resolved = '' } = packages[`node_modules/${name}`] ?? {};
  return resolved.startsWith('file:') ? path.resolve(path.dirname(modules), resolved.slice('file:'.length)) : undefined;
}
