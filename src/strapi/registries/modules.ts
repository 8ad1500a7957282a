import type { Anything, StrapiConfig, StrapiModule } from '../strapi.js';
import { withAbsent } from '../absent-members.js';
import { membersOf, type ThingRegistry } from './registry.js';

/** What APIs and plugins have, and the functions that find one of each kind. */
const finders = {
  contentTypes: 'contentType',
  services: 'service',
  controllers: 'controller',
  policies: 'policy',
  middlewares: 'middleware',
} as const;

type Kind = keyof typeof finders;
export type Registries = Readonly<Record<Kind, ThingRegistry>>;

/** Adds `services` and `service(name)`, and the same of the other kinds. @param prefix of the uids, before the names */
export function addFinders(target: object, registries: Registries, prefix: string): void {
  const nameOf = (uid: string): string => uid.slice(prefix.length);
  for (const [kind, finder] of Object.entries(finders)) {
    const registry = registries[kind as Kind];
    Object.defineProperty(target, kind, {
      enumerable: true,
      configurable: true,
      get: () => membersOf(registry, prefix, nameOf),
    });
    Object.assign(target, { [finder]: (name: string) => registry.get(prefix + name) });
  }
}

/**
 * One API or plugin.
 * @param namespace `api::course` or `plugin::i18n`
 */
export function createModule(
  namespace: string,
  registries: Registries,
  settings: StrapiConfig,
  routes: () => Anything,
): StrapiModule {
  const section = namespace.replace('::', '.');
  const module = {
    config: (path: string, fallback?: unknown): Anything => settings.get(`${section}.${path}`, fallback),
    get routes(): Anything {
      return routes();
    },
  } as StrapiModule;
  addFinders(module, registries, `${namespace}.`);
  return namespace.startsWith('plugin::') ? withAbsent('strapi.plugin(name)', module) : module;
}
