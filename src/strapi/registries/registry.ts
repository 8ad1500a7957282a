import { withAbsent } from '../absent-members.js';
import type { Anything, Named, StrapiConfig, StrapiModule } from '../strapi.js';

/** Things by uid, e.g. `api::course.course`; project code may change and extend them. */
interface ThingRegistry {
  keys(): string[];
  get(uid: string): unknown;
  /** The members of a namespace, e.g. `api::course`, by uid. */
  getAll(namespace?: string): Named;
  set(uid: string, thing: unknown): ThingRegistry;
  /** @throws Error if the uid is already registered */
  add(namespace: string, things: Named): ThingRegistry;
  /** @throws Error if the uid is unknown */
  extend(uid: string, change: (thing: unknown) => unknown): ThingRegistry;
}

/** What the uids of a namespace begin with: `api::course.` for `api::course`, and `global::` for itself. */
const prefixOf = (namespace: string): string => (namespace.endsWith('::') ? namespace : `${namespace}.`);

/** Joins `api::course` and `is-open` to `api::course.is-open`, and `global::` and `is-open` to `global::is-open`. */
export const uidOf = (namespace: string, name: string): string => prefixOf(namespace) + name;

/**
 * The members whose uids begin with a prefix, each made on first use.
 * @param nameOf the name by which a member is found
 */
function membersOf(registry: ThingRegistry, prefix: string, nameOf: (uid: string) => string): Named {
  const members: Named = {};
  for (const uid of registry.keys().filter((key) => key.startsWith(prefix))) {
    Object.defineProperty(members, nameOf(uid), { enumerable: true, configurable: true, get: () => registry.get(uid) });
  }
  return members;
}

/**
 * @param what the kind of thing, for messages
 * @param make creates the value of a registration on first use: services and controllers can be functions
 */
export function createRegistry(what: string, make: (thing: unknown, uid: string) => unknown = same): ThingRegistry {
  const things = new Map<string, unknown>();
  const made = new Map<string, unknown>();
  const get = (uid: string): unknown => {
    if (made.has(uid) || !things.has(uid)) return made.get(uid);
    const thing = make(things.get(uid), uid);
    made.set(uid, thing);
    return thing;
  };
  const registry: ThingRegistry = {
    keys: () => [...things.keys()],
    get,
    getAll: (namespace) => membersOf(registry, namespace === undefined ? '' : prefixOf(namespace), (uid) => uid),
    set: (uid, thing) => {
      things.set(uid, thing);
      made.delete(uid);
      return registry;
    },
    add: (namespace, added) => {
      for (const [name, thing] of Object.entries(added)) {
        const uid = uidOf(namespace, name);
        if (things.has(uid)) throw new Error(`${what} ${uid} has already been registered.`);
        things.set(uid, thing);
      }
      return registry;
    },
    extend: (uid, change) => {
      if (!things.has(uid)) throw new Error(`${what} ${uid} doesn't exist`);
      made.set(uid, change(get(uid)));
      return registry;
    },
  };
  return registry;
}

const same = (thing: unknown): unknown => thing;

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
  return withAbsent(namespace.startsWith('plugin::') ? 'strapi.plugin(name)' : 'strapi.api.name', module);
}
