import type { Named } from '../strapi.js';

/** Things by uid, e.g. `api::course.course`; project code may change and extend them. */
export interface ThingRegistry {
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
export function membersOf(registry: ThingRegistry, prefix: string, nameOf: (uid: string) => string): Named {
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
