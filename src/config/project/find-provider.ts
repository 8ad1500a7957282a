import { createRequire } from 'node:module';
import path from 'node:path';
import { findModule } from './load-module.js';

/** The plugins of Strapi v4 that have providers. */
export type ProviderKind = 'upload' | 'email';

/** Finds the module of a provider by its name; undefined when it is not installed. */
export type FindProvider = (kind: ProviderKind, name: string) => string | undefined;

/** The packages that a provider's name may stand for, in the order of Strapi v4. */
const packagesOf = (kind: ProviderKind, name: string): readonly string[] => [
  `@strapi/provider-${kind}-${name}`,
  `strapi-provider-${kind}-${name}`,
  name,
];

/**
 * The finder of a project: providers are packages in its `node_modules`, or paths from its folder, e.g. `./providers/disk`.
 * @param folders where it is looked for, one after the other
 */
export const createFindProvider =
  (folders: readonly string[]): FindProvider =>
  (kind, name) => {
    for (const folder of folders) {
      const found = findIn(folder, kind, name);
      if (found !== undefined) return found;
    }
    return undefined;
  };

function findIn(folder: string, kind: ProviderKind, name: string): string | undefined {
  if (name === '') return undefined;
  const { resolve } = createRequire(path.join(folder, 'package.json'));
  if (name.startsWith('.') || path.isAbsolute(name)) {
    const place = path.resolve(folder, name);
    return findModule(place) ?? attempt(() => resolve(place)) ?? findModule(path.join(place, 'index'));
  }
  const names = new Set([name, name.toLowerCase()]);
  for (const candidate of [...names].flatMap((one) => packagesOf(kind, one))) {
    const found = attempt(() => resolve(candidate));
    // Modules of Node have no path.
    if (found !== undefined && path.isAbsolute(found)) return found;
  }
  return undefined;
}

function attempt(find: () => string): string | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}
