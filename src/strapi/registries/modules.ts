import type { Anything, Named, StrapiConfig, StrapiModule } from '../strapi.js';
import { withAbsent } from '../absent-members.js';
import type { ThingRegistry } from './registry.js';

/** The contents of a namespace per kind. */
export interface Registries {
  readonly contentTypes: ThingRegistry;
  readonly services: ThingRegistry;
  readonly controllers: ThingRegistry;
  readonly policies: ThingRegistry;
  readonly middlewares: ThingRegistry;
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
  { contentTypes, services, controllers, policies, middlewares }: Registries,
  settings: StrapiConfig,
  routes: () => Anything,
): StrapiModule {
  const section = namespace.replace('::', '.');
  const getter =
    (registry: ThingRegistry) =>
    (name: string): Anything =>
      registry.get(`${namespace}.${name}`);
  const module: StrapiModule = {
    config: (path, fallback) => settings.get(`${section}.${path}`, fallback),
    get routes() {
      return routes();
    },
    get contentTypes() {
      return within(contentTypes, namespace);
    },
    contentType: getter(contentTypes),
    get services() {
      return within(services, namespace);
    },
    service: getter(services),
    get controllers() {
      return within(controllers, namespace);
    },
    controller: getter(controllers),
    get policies() {
      return within(policies, namespace);
    },
    policy: getter(policies),
    get middlewares() {
      return within(middlewares, namespace);
    },
    middleware: getter(middlewares),
  };
  return namespace.startsWith('plugin::') ? withAbsent('strapi.plugin(name)', module) : module;
}
