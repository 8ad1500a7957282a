import type JsonWebToken from 'jsonwebtoken';
import { lazyRequire } from '../../config/lazy-require.js';
import { isAbsent, isRecord } from '../../config/record.js';
import type { Named, Strapi, StrapiContext } from '../strapi.js';
import { system } from '../../documents/caller.js';
import { plainForm } from '../../plugins/contract/entry-form.js';
import { uids } from '../../plugins/users-permissions/uids.js';
import { permissionsService, providersRegistry, rolePermissionsService } from './permission-services.js';

const jsonwebtoken = lazyRequire<typeof JsonWebToken>('jsonwebtoken');

/** The token of a request, without the scheme. */
function tokenOf(context: Named): string | undefined {
  const [scheme = '', token, ...more] = String(context['request']?.header?.authorization ?? '').split(/\s+/);
  return scheme.toLowerCase() === 'bearer' && more.length === 0 ? token : undefined;
}

/** The services of users-permissions for project code. */
export function usersServices(context: StrapiContext): Named<() => Named> {
  const callRoute = createCallRoute(context);
  return {
    user: () => userService(context, callRoute),
    jwt: () => tokenService(context),
    role: () => roleService(context.strapi, callRoute),
    'users-permissions': () => permissionsService(context),
    permission: () => rolePermissionsService(context),
    'providers-registry': () => providersRegistry(context),
  };
}

/** As in Strapi v4, three dollar signs are a hash. */
const isHashed = (password: unknown): boolean => typeof password === 'string' && password.split('$').length === 4;

/** In the first versions of Strapi 4 conditions named users, and what is populated came beside them. */
const userService = ({ strapi, runtime }: StrapiContext, callRoute: CallRoute): Named => ({
  count: async (where?: Named) => strapi.query(uids.user).count({ where }),
  add: async (data: Named) => strapi.entityService.create(uids.user, { data, populate: ['role'] }),
  edit: async (place: unknown, data: Named = {}) => {
    if (isRecord(place) && Object.keys(place).length === 0) throw new Error('Update requires a where parameter');
    const id: unknown = isRecord(place)
      ? ((await strapi.query(uids.user).findOne({ where: place, select: ['id'] })) as Named | null)?.['id']
      : place;
    return isAbsent(id) ? null : strapi.entityService.update(uids.user, id, { data, populate: ['role'] });
  },
  fetch: async (place: unknown, params?: unknown) =>
    isRecord(place)
      ? strapi.query(uids.user).findOne({ where: place, populate: params })
      : strapi.entityService.findOne(uids.user, place, params),
  fetchAuthenticatedUser: async (id: unknown) => strapi.query(uids.user).findOne({ where: { id }, populate: ['role'] }),
  fetchAll: async (params?: Named, populate?: unknown) =>
    populate === undefined
      ? strapi.entityService.findMany(uids.user, params)
      : strapi.query(uids.user).findMany({ where: params, populate }),
  remove: async (where: Named) => strapi.query(uids.user).delete({ where }),
  sendConfirmationEmail: async ({ email }: Named) => {
    await callRoute('plugin::users-permissions.auth.sendEmailConfirmation', { body: { email } });
  },
  // Of the first versions, too: copies of their controllers call it.
  isHashed,
  hashPassword: async ({ password }: Named = {}) =>
    !password || isHashed(password) ? null : runtime('hashPassword').plugins.auth.passwords.hash(String(password)),
  validatePassword: async (password: string, hash: string) =>
    runtime('validatePassword').plugins.auth.passwords.matches(password, hash),
});

function tokenService({ strapi, runtime }: StrapiContext): Named {
  const secret = (): string => runtime('jwt').plugins.settings.secrets.jwt;
  return {
    async getToken(this: Named, context: Named) {
      const token = tokenOf(context);
      return token === undefined ? null : (this['verify'](token) as unknown);
    },
    issue: (payload: Named, options: Named = {}) => {
      const settings = strapi.config.get('plugin.users-permissions.jwt', { expiresIn: '30d' }) as Named;
      return jsonwebtoken().sign({ ...payload }, secret(), { ...settings, ...options });
    },
    verify: async (token: string) => {
      try {
        return jsonwebtoken().verify(token, secret()) as unknown;
      } catch {
        throw new Error('Invalid token.');
      }
    },
    peek: (token: string) => jsonwebtoken().decode(token),
  };
}

function roleService(strapi: Strapi, callRoute: CallRoute): Named {
  const route = (action: string, input: Parameters<CallRoute>[1]): Promise<Named> =>
    callRoute(`plugin::users-permissions.role.${action}`, input);
  const find = async (): Promise<Named[]> => {
    const roles: Named[] = await strapi.query(uids.role).findMany({ orderBy: ['name'] });
    for (const role of roles) {
      role['nb_users'] = await strapi.query(uids.user).count({ where: { role: { id: role['id'] as unknown } } });
    }
    return roles;
  };
  const findOne = async (id: unknown): Promise<Named> =>
    (await route('findOne', { params: { id: String(id) } }))['role'] as Named;
  return {
    find,
    findOne,
    // Their names in Strapi 4.0.
    getRoles: find,
    getRole: findOne,
    createRole: async (body: Named) => {
      await route('createRole', { body });
    },
    updateRole: async (id: unknown, body: Named) => {
      await route('updateRole', { params: { id: String(id) }, body });
    },
    /** @param ofUsers the role that its users get; default: the public one */
    deleteRole: async (id: unknown, ofUsers?: unknown) => {
      const users: readonly Named[] =
        ofUsers === undefined
          ? []
          : await strapi.query(uids.user).findMany({ where: { role: { id } }, select: ['id'] });
      for (const { id: user } of users)
        await strapi.query(uids.user).update({ where: { id: user as unknown }, data: { role: ofUsers } });
      await route('deleteRole', { params: { id: String(id) } });
    },
  };
}

/** Calls a route of the service from project code, with all permissions; returns the body of the response. */
type CallRoute = (action: string, input: { readonly params?: Named; readonly body?: unknown }) => Promise<Named>;

const noRequest = { query: {}, files: undefined, address: '', message: undefined as never };

/** @throws Error for a route of a plugin that is disabled */
const createCallRoute =
  ({ runtime }: StrapiContext): CallRoute =>
  async (action, { params = {}, body }) => {
    const route = runtime(action).plugins.http.routes.find((candidate) => candidate.action === action);
    if (route === undefined) throw new Error(`${action} is not available: its plugin is disabled`);
    const reply = await route.handle({ ...noRequest, entryForm: plainForm, caller: system, params, body });
    return reply.body ?? {};
  };
