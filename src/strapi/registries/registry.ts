import type { Named } from '../strapi.js';

/** Things by uid, e.g. `api::course.course`; project code may change and extend them. */
export interface ThingRegistry {
  keys(): string[];
  get(uid: string): unknown;
  /** Those of a namespace, e.g. `api::course`, by their whole uids. */
  getAll(namespace?: string): Named;
  set(uid: string, thing: unknown): ThingRegistry;
  /** @throws Error when there is one by that uid */
  add(namespace: string, things: Named): ThingRegistry;
  /** @throws Error when there is none by that uid */
  extend(uid: string, change: (thing: unknown) => unknown): ThingRegistry;
}

/** `api::course` and `is-open` make `api::course.is-open`, `global::` and `is-open` make `global::is-open`. */
export const uidOf = (namespace: string, name: string): string =>
  namespace.endsWith('::') ? `${namespace}${name}` : `${namespace}.${name}`;

/** Is it one of this namespace? */
export const isOf = (namespace: string, uid: string): boolean =>
  uid.startsWith(namespace.endsWith('::') ? namespace : `${namespace}.`);

/**
 * @param what the kind of thing, for messages
 * @param make what is given out of what was registered, made when it is first asked for: services and controllers may be functions
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
    getAll: (namespace) => {
      const all: Named = {};
      for (const uid of things.keys()) {
        if (namespace === undefined || isOf(namespace, uid)) {
          Object.defineProperty(all, uid, { enumerable: true, configurable: true, get: () => get(uid) });
        }
      }
      return all;
    },
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
