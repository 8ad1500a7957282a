import lodash from 'lodash';
import { uids } from '../../plugins/users-permissions/uids.js';
import { describedRouters } from '../http/router.js';
import { actionOf } from '../http/endpoint.js';
import type { Named, StrapiContext } from '../strapi.js';
import { errors } from '../utilities/errors.js';
import { fillTemplate } from './fill-template.js';

const PERMISSION = 'plugin::users-permissions.permission';

/** The routes that clients call, with the namespace of each: `api::note`, `plugin::upload`. */
const routesOf = ({ strapi }: StrapiContext): readonly (readonly [namespace: string, route: Named])[] =>
  describedRouters(strapi, Object.keys(strapi.plugins)).flatMap(({ prefix = '', routes = [] }) =>
    (routes as Named[]).flat().map((route) => {
      const { apiName, pluginName } = route['info'] as Named<string | undefined>;
      const before = String(route['config']?.prefix ?? prefix);
      const namespace = apiName === undefined ? `plugin::${pluginName}` : `api::${apiName}`;
      return [namespace, { ...route, path: before + String(route['path']) }] as const;
    }),
  );

/** The service of users-permissions with its own name, for code that fills roles or lists what they can permit. */
export const permissionsService = (context: StrapiContext): Named => ({
  getActions: ({ defaultEnable = false }: { readonly defaultEnable?: boolean } = {}) => {
    const actions: Named = {};
    for (const [namespace, route] of routesOf(context)) {
      if (typeof route['handler'] !== 'string') continue;
      const [controller = '', action = ''] = actionOf(route).slice(`${namespace}.`.length).split('.');
      // With an object as its customizer, a name such as "1" makes no list.
      lodash.setWith(
        actions,
        [namespace, 'controllers', controller, action],
        { enabled: defaultEnable, policy: '' },
        Object,
      );
    }
    return actions;
  },
  getRoutes: async () => {
    const prefix = String(context.config.get('api.rest.prefix', '/api'));
    const routes: Named<Named[]> = {};
    for (const [namespace, route] of routesOf(context)) {
      (routes[namespace] ??= []).push({ ...route, path: prefix + String(route['path']) });
    }
    return routes;
  },
  // The service does both at each start.
  syncPermissions: async () => undefined,
  initialize: async () => undefined,
  updateUserRole: async ({ id }: Named, role: unknown) =>
    context.strapi.query(uids.user).update({ where: { id: id as unknown }, data: { role } }),
  template: (layout: string, data: Named) => {
    try {
      return fillTemplate(layout, data);
    } catch {
      throw new errors.ApplicationError('Invalid email template');
    }
  },
});

/** The service `permission` of users-permissions: the permissions of roles. */
export const rolePermissionsService = ({ strapi }: StrapiContext): Named => {
  const find = async (role: Named): Promise<Named[]> => strapi.query(PERMISSION).findMany({ where: { role } });
  return {
    findRolePermissions: async (id: unknown) => find({ id }),
    findPublicPermissions: async () => find({ type: 'public' }),
    toContentAPIPermission: ({ action }: Named) => ({ action: action as unknown }),
  };
};

/** The service `providers-registry`: what code adds to it is kept for code, but users cannot log in with it. */
export function providersRegistry({ log }: StrapiContext): Named {
  const providers: Named = {};
  const add = (name: string, provider: unknown): void => {
    providers[name] = provider;
    log.warn(`users cannot log in with the provider "${name}", which code registers: use a provider of OpenID Connect`);
  };
  return {
    getAll: () => providers,
    get: (name: string) => providers[name] as unknown,
    add,
    // Its name before Strapi 4.22.
    register: add,
    remove: (name: string) => void delete providers[name],
  };
}
