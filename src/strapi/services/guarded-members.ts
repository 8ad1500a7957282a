import type { AuthenticationCode } from '../../plugins/contract/authentication-code.js';
import type { Named, Strapi } from '../strapi.js';

/**
 * What becomes of code in the place of a member: the service asks it, too, or the start stops. It also stops where code
 * takes a member away, unless that is absent here anyway.
 */
type Fate = 'asked' | 'refused' | 'absent';

/** The members that Strapi v4 asks to identify callers, to log users in and to find out what they may do, by object. */
export const guardedMembers: Readonly<Record<string, Readonly<Record<string, Fate>>>> = {
  'plugin::users-permissions.jwt': { issue: 'asked', verify: 'asked', getToken: 'refused' },
  'plugin::users-permissions.user': { fetchAuthenticatedUser: 'asked', validatePassword: 'asked' },
  'plugin::users-permissions.permission': {
    findRolePermissions: 'refused',
    findPublicPermissions: 'refused',
    toContentAPIPermission: 'refused',
  },
  'plugin::users-permissions.providers': { connect: 'absent' },
  'admin::api-token': { getBy: 'absent', hash: 'absent' },
  'strapi.auth': { authenticate: 'absent', verify: 'refused' },
};

/** Marks the service's own. */
const OWN = Symbol('own');

/** The object, with its guarded members marked, so that they can be told from code in their place. */
export function markGuarded<T extends object>(name: string, object: T): T {
  for (const member of Object.keys(guardedMembers[name] ?? {})) {
    const own = valueOf(object, member);
    if (typeof own === 'function') Object.defineProperty(own, OWN, { value: `${name}.${member}` });
  }
  return object;
}

/** A member; undefined for those that are absent, whose getters throw. */
function valueOf(object: object, member: string): unknown {
  if (Object.getOwnPropertyDescriptor(object, member)?.get !== undefined || !(member in object)) return undefined;
  return Reflect.get(object, member) as unknown;
}

const objectOf = (strapi: Strapi, name: string): unknown =>
  name === 'strapi.auth' ? strapi['auth'] : (strapi.service(name) as unknown);

/**
 * What code has in the place of a member; null if it took the member away; undefined if the member is the service's
 * own.
 */
function replacementOf(strapi: Strapi, name: string, member: string): object | null | undefined {
  const object = objectOf(strapi, name);
  const found = typeof object === 'object' && object !== null ? valueOf(object, member) : undefined;
  const uid = `${name}.${member}`;
  if (typeof found !== 'function') return guardedMembers[name]?.[member] === 'absent' ? undefined : null;
  return Reflect.get(found, OWN) === uid ? undefined : found;
}

/** A member in whose place code has what the service cannot run. */
export interface RefusedGuard {
  /** The uid of the service. */
  readonly name: string;
  readonly member: string;
  readonly problem: string;
  /** What the text of its place looks like; default: a definition of the member. */
  readonly sign?: RegExp;
}

const ADVICE = 'use permissions of roles, policies, or an authentication strategy of the project';

/**
 * The members that code has replaced and the service cannot ask, those that it took away, and log-in providers that it
 * replaced.
 */
export function findRefusedGuards(strapi: Strapi): readonly RefusedGuard[] {
  if (strapi.plugin('users-permissions') === undefined) return [];
  return [...findRefusedMembers(strapi), ...findRefusedProviders(strapi)];
}

const findRefusedMembers = (strapi: Strapi): readonly RefusedGuard[] =>
  Object.entries(guardedMembers).flatMap(([name, members]) =>
    Object.entries(members).flatMap(([member, fate]): readonly RefusedGuard[] => {
      const found = replacementOf(strapi, name, member);
      if (found === undefined || (found !== null && fate === 'asked')) return [];
      const problem =
        found === null
          ? `${name} has no ${member}, without which Strapi v4 refuses callers: keep that of the plugin`
          : `code replaces ${member} of ${name}, which guards access in Strapi v4 and is not called here: ${ADVICE}`;
      return [{ name, member, problem }];
    }),
  );

/**
 * The log-in providers that code registers and the settings enable: in Strapi v4 code decides there who logs in, and it
 * is not called here.
 */
function findRefusedProviders(strapi: Strapi): readonly RefusedGuard[] {
  const name = 'plugin::users-permissions.providers-registry';
  const registry = strapi.service(name) as { getAll(): Named } | undefined;
  const enabled = Object(strapi.config.get('plugin.users-permissions.providers', {})) as Named<Named | undefined>;
  return Object.keys(registry?.getAll() ?? {}).flatMap((provider): readonly RefusedGuard[] => {
    if (enabled[provider]?.['enabled'] !== true) return [];
    const problem = `code registers the log-in provider "${provider}", which the settings enable, too, and is not called here`;
    // The names of enabled providers have only letters, digits and hyphens.
    const sign = new RegExp(`\\.(?:add|register)\\(\\s*['"\`]${provider}['"\`]`);
    return [{ name, member: provider, problem: `${problem}: remove one of them`, sign }];
  });
}

/** What code does in place of the service's own members, each by what it is now. */
export function findAuthenticationCode(strapi: Strapi): AuthenticationCode {
  const asked = (service: string, member: string) => {
    const name = `plugin::users-permissions.${service}`;
    const found = replacementOf(strapi, name, member);
    // As in Strapi v4, they are called as members of the service.
    return typeof found === 'function'
      ? (...args: readonly unknown[]): unknown => (objectOf(strapi, name) as Named)[member](...args)
      : undefined;
  };
  return {
    issue: asked('jwt', 'issue'),
    verify: asked('jwt', 'verify'),
    fetchAuthenticatedUser: asked('user', 'fetchAuthenticatedUser'),
    validatePassword: asked('user', 'validatePassword'),
  };
}
