import { strictProxy } from '../../plugins/contract/strict-proxy.js';
import type { Named, StrapiContext } from '../strapi.js';
import lodash from 'lodash';
import { hooks } from '../utilities/hooks.js';

const nothing = (): void => undefined;
const nothingYet = async (): Promise<void> => undefined;

/**
 * Properties of `strapi` that have no effect on the API in Strapi v4 either: usage reports, the log of a start, a
 * restart outside of development. Their other members in Strapi v4 throw an error with their name.
 */
export const noOpProperties = (): Named => ({
  telemetry: strictProxy('strapi.telemetry', {
    isDisabled: true,
    register: nothing,
    bootstrap: nothing,
    destroy: nothing,
    send: nothingYet,
  }),
  startupLogger: strictProxy('strapi.startupLogger', {
    logStats: nothing,
    logFirstStartupMessage: nothing,
    logDefaultStartupMessage: nothing,
    logStartupMessage: nothing,
  }),
  // It restarts a server of development, which `content-service dev` does after a change.
  reload: Object.assign(() => undefined, { isReloading: false, isWatching: true }),
  isLoaded: false,
});

const secrets = ['password', 'resetPasswordToken', 'registrationToken'];

/**
 * Services of the admin panel that plugins and `bootstrap` call. There is no panel: registrations have no effect, no
 * user is found, and creations return their input with a warning. All other members of Strapi v4 throw an error with
 * their name.
 */
export function adminServices({ log, runtime }: Pick<StrapiContext, 'log' | 'runtime'>): Named<Named> {
  const noEffect = (name: string): void =>
    log.warn(`strapi.service('admin::${name} has no effect: Strapi's admin panel is not there`);
  /** A write that changes nothing. */
  const ignored =
    <T>(name: string, result: T) =>
    async (): Promise<T> => {
      noEffect(name);
      return result;
    };
  const ignoredCreate =
    (service: string) =>
    async (data: Named): Promise<Named> => {
      noEffect(`${service}').create`);
      return { ...data };
    };
  return {
    permission: admin('permission', {
      actionProvider: strictProxy('actionProvider', { ...emptyProvider(), appliesToProperty: async () => false }),
      conditionProvider: strictProxy('conditionProvider', emptyProvider()),
      findMany: async () => [],
      findUserPermissions: async () => [],
      sanitizePermission: (permission: Named) => ({ ...permission }),
      createMany: ignored("permission').createMany", []),
      deleteByIds: ignored("permission').deleteByIds", []),
      deleteByRolesIds: ignored("permission').deleteByRolesIds", []),
      cleanPermissionsInDatabase: nothingYet,
    }),
    user: admin('user', {
      exists: async () => false,
      count: async () => 0,
      countUsersWithoutRole: async () => 0,
      findOne: async () => null,
      findOneByEmail: async () => null,
      findRegistrationInfo: nothingYet,
      findPage: async () => ({ results: [], pagination: { page: 1, pageSize: 100, pageCount: 0, total: 0 } }),
      getLanguagesInUse: async () => [],
      create: ignoredCreate('user'),
      updateById: ignored("user').updateById", null),
      deleteById: ignored("user').deleteById", null),
      deleteByIds: ignored("user').deleteByIds", []),
      assignARoleToAll: nothingYet,
      displayWarningIfUsersDontHaveRole: nothingYet,
      sanitizeUser: (user: Named) => lodash.omit(user, secrets),
    }),
    auth: admin('auth', {
      hashPassword: async (password: string) =>
        runtime("service('admin::auth').hashPassword").plugins.auth.passwords.hash(password),
      validatePassword: async (password: string, hash: string) =>
        runtime("service('admin::auth').validatePassword").plugins.auth.passwords.matches(password, hash),
    }),
    role: admin('role', {
      constants: { superAdminCode: 'strapi-super-admin' },
      exists: async () => false,
      count: async () => 0,
      getUsersCount: async () => 0,
      find: async () => [],
      findAllWithUsersCount: async () => [],
      findOne: async () => null,
      findOneWithUsersCount: async () => null,
      getSuperAdmin: async () => null,
      getSuperAdminWithUsersCount: async () => null,
      hasSuperAdminRole: () => false,
      sanitizeRole: (role: Named) => lodash.omit(role, ['users', 'permissions']),
      createRolesIfNoneExist: nothingYet,
      resetSuperAdminPermissions: nothingYet,
      displayWarningIfNoSuperAdmin: nothingYet,
      checkRolesIdForDeletion: nothingYet,
      create: ignoredCreate('role'),
      update: ignored("role').update", null),
      deleteByIds: ignored("role').deleteByIds", []),
      addPermissions: ignored("role').addPermissions", []),
      assignPermissions: ignored("role').assignPermissions", []),
    }),
  };
}

const admin = (name: string, members: Named): Named => strictProxy(`strapi.service('admin::${name}')`, members);

/** A provider of actions or conditions: what code registers has no effect, and nothing is registered. */
const emptyProvider = (): Named => ({
  register: nothing,
  registerMany: nothing,
  delete: nothing,
  clear: nothing,
  get: nothing,
  values: () => [],
  keys: () => [],
  has: () => false,
  size: () => 0,
  unstable_aliases: () => [],
  hooks: { appliesPropertyToSubject: hooks.createAsyncParallelHook() },
});
