import { strictProxy } from '../../plugins/contract/strict-proxy.js';
import type { Named, StrapiContext } from '../strapi.js';
import lodash from 'lodash';

const nothing = (): void => undefined;
const nothingYet = async (): Promise<void> => undefined;

/**
 * Properties of `strapi` that have no effect on the API in Strapi v4 either: usage reports, the log of a start.
 * Their other members in Strapi v4 throw an error with their name.
 */
export const inertProperties = (): Named => ({
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
  isLoaded: false,
});

const secrets = ['password', 'resetPasswordToken', 'registrationToken'];

/**
 * Services of the admin panel that plugins and `bootstrap` call. There is no panel: registrations have no effect, no
 * user is found, and creations return their input with a warning. All other members of Strapi v4 throw an error with
 * their name.
 */
export function adminServices({ log, runtime }: Pick<StrapiContext, 'log' | 'runtime'>): Named<Named> {
  const ignoredCreate =
    (service: string) =>
    async (data: Named): Promise<Named> => {
      log.warn(`strapi.service('admin::${service}').create has no effect: Strapi's admin panel is not there`);
      return { ...data };
    };
  const providers = { register: nothing, registerMany: nothing };
  return {
    permission: strictProxy("strapi.service('admin::permission')", {
      actionProvider: strictProxy('actionProvider', providers),
      conditionProvider: strictProxy('conditionProvider', providers),
    }),
    user: strictProxy("strapi.service('admin::user')", {
      exists: async () => false,
      count: async () => 0,
      findOne: async () => null,
      findOneByEmail: async () => null,
      create: ignoredCreate('user'),
      sanitizeUser: (user: Named) => lodash.omit(user, secrets),
    }),
    auth: strictProxy("strapi.service('admin::auth')", {
      hashPassword: async (password: string) =>
        runtime("service('admin::auth').hashPassword").plugins.auth.passwords.hash(password),
    }),
    role: strictProxy("strapi.service('admin::role')", {
      exists: async () => false,
      count: async () => 0,
      find: async () => [],
      findOne: async () => null,
      getSuperAdmin: async () => null,
      createRolesIfNoneExist: async () => undefined,
      create: ignoredCreate('role'),
    }),
  };
}
