import type { Named, Strapi, StrapiContainer } from '../strapi.js';

/** `strapi.container`: named values of code, in addition to the registries. @throws Error for an unknown name */
export function createContainer(registries: Named, strapi: Strapi): StrapiContainer {
  const entries = new Map<string, unknown>(Object.entries(registries));
  const made = new Map<string, unknown>();
  const container: StrapiContainer = {
    register: (name, resolver) => {
      if (entries.has(name)) throw new Error(`Cannot register already registered service ${name}`);
      entries.set(name, resolver);
      return container;
    },
    get: (name, args) => {
      if (made.has(name)) return made.get(name);
      if (!entries.has(name)) throw new Error(`strapi.container: unknown name "${name}"`);
      const entry = entries.get(name);
      const value: unknown = typeof entry === 'function' ? entry({ strapi }, args) : entry;
      made.set(name, value);
      return value;
    },
    // As in Strapi v4, without effect.
    extend: () => container,
  };
  return container;
}
