import type { Anything, Named, StrapiConfig, StrapiModule } from '../strapi.js';
import { withAbsent } from '../absent-members.js';
import type { ThingRegistry } from './registry.js';

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

/** Adds `services` and `service(name)`, and the same of the other kinds. */
export function addFinders(
  target: object,
  registries: Registries,
  all: (registry: ThingRegistry) => Named,
  uidOf: (name: string) => string,
): void {
  for (const [kind, finder] of Object.entries(finders)) {
    const registry = registries[kind as Kind];
    Object.defineProperty(target, kind, { enumerable: true, configurable: true, get: () => all(registry) });
    Object.assign(target, { [finder]: (name: string) => registry.get(uidOf(name)) });
  }
}

/** The members of a namespace by their short names. */
function within(registry: ThingRegistry, namespace: string): Named {
  const all: Named = {};
  for (const uid of Object.keys(registry.getAll(namespace))) {
    const name = uid.slice(namespace.length + 1);
    Object.defineProperty(all, name, { enumerable: true, configurable: true, get: () => registry.get(uid) });
  }
  return all;
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
  addFinders(
    module,
    registries,
    (registry) => within(registry, namespace),
    (name) => `${namespace}.${name}`,
  );
  return namespace.startsWith('plugin::') ? withAbsent('strapi.plugin(name)', module) : module;
}
