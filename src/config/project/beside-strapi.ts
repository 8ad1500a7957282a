import Module from 'node:module';
import { bundledFile } from '../lazy-require.js';
import { packageFolder } from '../package-folder.js';

/**
 * What npm installs beside Strapi 4 (node_modules of 4.26.2), so that code and plugins load it without depending on it,
 * and the service has in a version with the same functions.
 */
const besideStrapi = /^(?:@koa\/router|dotenv|graphql|jsonwebtoken|lodash|mime-types|nexus|qs|sharp|yup)(?:\/|$)/;

/** A package there whose functions another one has, which the service has. */
const sameFunctions = new Map([['bcryptjs', 'bcrypt']]);

type ResolveModule = (request: string, parent: unknown, isMain: boolean, options?: object) => string;

/**
 * Provides the service's own packages to code that requires them, in place of those that came with Strapi and are not
 * installed.
 * @returns a function that reverts it
 */
export function provideBesideStrapi(): () => void {
  const loader = Module as unknown as { _resolveFilename: ResolveModule };
  const { _resolveFilename: original } = loader;
  const resolve: ResolveModule = (request, parent, isMain, options) => {
    try {
      return Reflect.apply(original, loader, [request, parent, isMain, options]);
    } catch (error) {
      const own = sameFunctions.get(request) ?? (besideStrapi.test(request) ? request : undefined);
      if (own === undefined) throw error;
      const paths = [packageFolder];
      return bundledFile(own) ?? Reflect.apply(original, loader, [own, parent, isMain, { paths }]);
    }
  };
  loader._resolveFilename = resolve;
  return () => {
    if (loader._resolveFilename === resolve) loader._resolveFilename = original;
  };
}
