import lodash from 'lodash';
import type { Named } from '../strapi.js';
import { guardedMembers } from './guarded-members.js';

/**
 * The members of the services of Strapi's plugins as the service made them, by uid. Undefined: it refuses calls of that
 * one.
 */
export type MadeServices = Map<string, { readonly service: object; readonly members: ReadonlyMap<string, unknown> }>;

/** What Strapi v4 asks by a route that calls the service of the registry: code in its place runs. */
const called: ReadonlySet<string> = new Set(['plugin::email.email.send']);

/** The values of an object's members; undefined for those that a getter finds. */
export const membersOf = (service: object): ReadonlyMap<string, unknown> =>
  new Map(
    Object.entries(Object.getOwnPropertyDescriptors(service)).map(([name, { value }]) => [name, value as unknown]),
  );

/**
 * The services of a plugin; what they are made of is remembered, because code can replace their members at any time.
 */
export const rememberServices = (plugin: string, services: Named, made: MadeServices): Named =>
  lodash.mapValues(services, (make: (...args: unknown[]) => unknown, name) => (...args: unknown[]): unknown => {
    const service = make(...args);
    if (typeof service === 'object' && service !== null)
      made.set(`plugin::${plugin}.${name}`, { service, members: membersOf(service) });
    return service;
  });

/**
 * The members in whose place code has put a function that no action of the service calls, although Strapi v4's actions
 * do.
 */
export const findReplacedMethods = (
  made: MadeServices,
): readonly { readonly name: string; readonly member: string }[] =>
  [...made].flatMap(([name, { service, members }]) =>
    [...membersOf(service)].flatMap(([member, value]) => {
      const isReplaced = typeof value === 'function' && members.has(member) && members.get(member) !== value;
      const isCalled = called.has(`${name}.${member}`) || guardedMembers[name]?.[member] !== undefined;
      return isReplaced && !isCalled ? [{ name, member }] : [];
    }),
  );
