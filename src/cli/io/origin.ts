import { fileBeside, installedFrom, installedTarball } from '../../config/installed-tarball.js';
import { fullName, type OptionalPackage } from '../../config/optional-package.js';
import { readVersion } from '../../config/version.js';
import { StartError } from '../../errors/start-error.js';

/**
 * Where a service is from: a file or an address of a release, a registry, or its repository, from which npm has built
 * it.
 */
export type Origin =
  | { readonly kind: 'file' | 'address' | 'git'; readonly place: string }
  | { readonly kind: 'registry'; readonly version: string };

/** Where the installed service is from. */
export const originOfService = (): Origin =>
  originOf(installedTarball('content-service'), installedFrom('content-service') ?? '');

/**
 * @param file that it was installed from, if it was
 * @param resolved what npm has recorded
 */
export function originOf(file: string | undefined, resolved: string): Origin {
  if (file !== undefined) return { kind: 'file', place: file };
  if (resolved.startsWith('git')) return { kind: 'git', place: resolved };
  // A registry has the files of a package below "/-/".
  return /^https?:/.test(resolved) && !resolved.includes('/-/')
    ? { kind: 'address', place: resolved }
    : { kind: 'registry', version: readVersion() };
}

/**
 * What npm has to install to get a package of the same release.
 * @throws StartError for a service from its repository, which has no files of a release
 */
export function specOf(origin: Origin, name: OptionalPackage): string {
  switch (origin.kind) {
    case 'file':
    case 'address':
      return fileBeside(origin.place, name);
    case 'registry':
      return `${fullName(name)}@${origin.version}`;
    case 'git':
      throw new StartError(
        'The service was installed from its repository: npm run pack in a clone of that writes all packages of one version, to install from there',
      );
    default:
      return origin satisfies never;
  }
}
