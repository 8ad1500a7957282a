import Module from 'node:module';
import { provideBesideStrapi } from '../../config/project/beside-strapi.js';
import type { StrapiModules } from '../modules/strapi-modules.js';
import type { Strapi } from '../strapi.js';

type Provide = StrapiModules['provide'];

type LoadModule = (request: string, ...others: unknown[]) => unknown;
/**
 * Makes `strapi` global, and provides to code that requires them, files of a project and its installed packages:
 * internal modules, and the service's own packages in place of those that came with Strapi and are not installed.
 * @returns a function that reverts it
 */
export function provideGlobally(strapi: Strapi, provide: Provide): () => void {
  const owner = globalThis as { strapi?: unknown };
  const previous = owner.strapi;
  owner.strapi = strapi;
  const loader = Module as unknown as { _load: LoadModule };
  const { _load: originalLoad } = loader;
  const load: LoadModule = (request, ...others) =>
    provide(request) ?? Reflect.apply(originalLoad, loader, [request, ...others]);
  loader._load = load;
  const release = provideBesideStrapi();
  return () => {
    if (loader._load === load) loader._load = originalLoad;
    release();
    if (owner.strapi === strapi) owner.strapi = previous;
  };
}

/** The provided modules as an object with a property for each name. */
export const asRecord = (provide: Provide): Readonly<Record<string, unknown>> =>
  new Proxy<Record<string, unknown>>(
    {},
    {
      has: (_target, name) => typeof name === 'string' && provide(name) !== undefined,
      get: (_target, name) => (typeof name === 'string' ? provide(name) : undefined),
    },
  );
