import { absentRegistries } from '../absent-members.js';
import type { Named, Strapi } from '../strapi.js';

/** `strapi.container`: named values of code, in addition to the registries. @throws Error for an unknown name */
export function createContainer(registries: Named, strapi: Strapi): object {
  const entries = new Map<string, unknown>(Object.entries(registries));
  const made = new Map<string, unknown>();
  const container = {
    /** @param resolver a value, or a function that creates it on first use */
    register: (name: string, resolver: unknown): object => {
      if (entries.has(name)) throw new Error(`Cannot register already registered service ${name}`);
      entries.set(name, resolver);
      return container;
    },
    get: (name: string, args?: unknown): unknown => {
      if (made.has(name)) return made.get(name);
      if (absentRegistries.has(name)) throw new Error(`strapi.container.get('${name}') is not supported`);
      if (!entries.has(name)) throw new Error(`Could not resolve service ${name}`);
      const entry = entries.get(name);
      const value: unknown = typeof entry === 'function' ? entry({ strapi }, args) : entry;
      made.set(name, value);
      return value;
    },
    // As in Strapi v4, without effect.
    extend: (): object => container,
  };
  return container;
}
