import { createRequire } from 'node:module';
import path from 'node:path';
import type { Config } from '../config.js';
import { findModule } from './load-module.js';

/** The plugins of Strapi v4 that have providers. */
export type ProviderKind = 'upload' | 'email';

/** Finds the module of a provider by its name; undefined when it is not installed. */
export type FindProvider = (kind: ProviderKind, name: string) => string | undefined;

/** The packages that a provider's name may stand for, in the order of Strapi v4. */
const packagesOf = (kind: ProviderKind, name: string) =>
  [`@strapi/provider-${kind}-${name}`, `strapi-provider-${kind}-${name}`, name] as const;

/** The providers of Strapi v4's own. */
const ownProviders: Readonly<Record<ProviderKind, readonly string[]>> = {
  upload: ['aws-s3', 'cloudinary'],
  email: ['amazon-ses', 'mailgun', 'nodemailer', 'sendgrid', 'sendmail'],
};

/**
 * What to install for a provider: what the project depends on, or the package with the usual name. Undefined for a
 * file.
 * @param dependencies the versions of the project's packages by their names
 */
export function packageOfProvider(
  kind: ProviderKind,
  name: string,
  dependencies: Readonly<Record<string, string>>,
): string | undefined {
  if (name === '' || name.startsWith('.') || path.isAbsolute(name)) return undefined;
  const names = packagesOf(kind, name);
  const declared = names.find((one) => Object.hasOwn(dependencies, one));
  if (declared !== undefined) return `${declared}@${String(dependencies[declared])}`;
  const [official, other] = names;
  return ownProviders[kind].includes(name) ? `${official}@4` : other;
}

/**
 * The finder of a project: providers are packages in its `node_modules`, or paths from its folder, e.g.
 * `./providers/disk`. The Strapi v4 project that the content types come from is searched first.
 */
export const createFindProvider =
  ({ contentTypes, project }: Pick<Config['folders'], 'contentTypes' | 'project'>): FindProvider =>
  (kind, name) => {
    for (const folder of [contentTypes, project]) {
      const file = findIn(folder, kind, name);
      if (file !== undefined) return file;
    }
    return undefined;
  };

function findIn(folder: string, kind: ProviderKind, name: string): string | undefined {
  if (name === '') return undefined;
  const { resolve } = createRequire(path.join(folder, 'package.json'));
  if (name.startsWith('.') || path.isAbsolute(name)) {
    const base = path.resolve(folder, name);
    return findModule(base) ?? attempt(() => resolve(base)) ?? findModule(path.join(base, 'index'));
  }
  const names = new Set([name, name.toLowerCase()]);
  for (const candidate of [...names].flatMap((packageName) => packagesOf(kind, packageName))) {
    const file = attempt(() => resolve(candidate));
    // Modules of Node have no path.
    if (file !== undefined && path.isAbsolute(file)) return file;
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
