import { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import type { GraphqlContext, GraphqlResolver } from '../../plugins/contract/graphql/parts.js';
import type { OpenProject } from '../open-project.js';
import type { Anything, Named } from '../strapi.js';

const PLUGIN = 'users-permissions';

/** The input of a controller's action for a mutation, as in Strapi v4. */
interface Call {
  readonly controller: 'auth' | 'role' | 'user';
  readonly action: string;
  /** The path of the REST route with the same action. */
  readonly path: string;
  readonly request: (args: Anything) => { readonly body?: Named; readonly params?: Named; readonly query?: Named };
  /** The result of the mutation, from the body of the response. */
  readonly result: (body: Anything) => unknown;
}

const loggedIn = (body: Anything): unknown => ({ user: body?.user ?? body, jwt: body?.jwt });
const entity = (body: Anything): unknown => ({ data: body && { id: body.id, attributes: body } });
const body = (args: Anything): { readonly body: Named } => ({ body: { ...args } });
/** The service's own actions read `id`, those of Strapi v4 `role`. */
const ofRole = (id: unknown): { readonly params: Named } => ({ params: { id, role: id } });
const done = (): unknown => ({ ok: true });

const calls: Readonly<Record<string, Call>> = {
  login: {
    controller: 'auth',
    action: 'callback',
    path: '/auth/local',
    request: ({ input }) => ({ body: { ...input }, params: { provider: input.provider as unknown } }),
    result: loggedIn,
  },
  register: {
    controller: 'auth',
    action: 'register',
    path: '/auth/local/register',
    request: ({ input }) => body(input),
    result: loggedIn,
  },
  forgotPassword: {
    controller: 'auth',
    action: 'forgotPassword',
    path: '/auth/forgot-password',
    request: body,
    result: ({ ok }) => ({ ok }),
  },
  resetPassword: {
    controller: 'auth',
    action: 'resetPassword',
    path: '/auth/reset-password',
    request: body,
    result: loggedIn,
  },
  changePassword: {
    controller: 'auth',
    action: 'changePassword',
    path: '/auth/change-password',
    request: body,
    result: loggedIn,
  },
  emailConfirmation: {
    controller: 'auth',
    action: 'emailConfirmation',
    path: '/auth/email-confirmation',
    request: (args) => ({ query: { ...args } }),
    result: loggedIn,
  },
  createUsersPermissionsRole: {
    controller: 'role',
    action: 'createRole',
    path: '/users-permissions/roles',
    request: ({ data }) => body(data),
    result: done,
  },
  updateUsersPermissionsRole: {
    controller: 'role',
    action: 'updateRole',
    path: '/users-permissions/roles/:id',
    request: ({ id, data }) => ({ ...ofRole(id), ...body(data) }),
    result: done,
  },
  deleteUsersPermissionsRole: {
    controller: 'role',
    action: 'deleteRole',
    path: '/users-permissions/roles/:id',
    request: ({ id }) => ofRole(id),
    result: done,
  },
  createUsersPermissionsUser: {
    controller: 'user',
    action: 'create',
    path: '/users',
    request: ({ data }) => body(data),
    result: entity,
  },
  updateUsersPermissionsUser: {
    controller: 'user',
    action: 'update',
    path: '/users/:id',
    request: ({ id, data }) => ({ params: { id }, body: { ...data } }),
    result: entity,
  },
  deleteUsersPermissionsUser: {
    controller: 'user',
    action: 'destroy',
    path: '/users/:id',
    request: ({ id }) => ({ params: { id } }),
    result: entity,
  },
};

const actionOf = ({ controller, action }: Call): string => `plugin::${PLUGIN}.${controller}.${action}`;

/** The actions that these mutations run. */
export const calledActions: ReadonlySet<string> = new Set(Object.values(calls).map(actionOf));

/**
 * The mutations of users-permissions whose actions the project's `strapi-server` replaced call the controllers of the
 * plugin: as in Strapi v4, a replaced action also applies to GraphQL.
 */
export function usersMutations({
  strapi,
  server,
  replacedActions,
}: OpenProject): Readonly<Record<string, GraphqlResolver>> {
  const replaced = new Set(replacedActions.map(({ action }) => action));
  const resolve =
    ({ controller, action, path, request, result }: Call): GraphqlResolver =>
    async (_, args, context) => {
      const koa = createContext(server.app, context, path, request(args));
      await strapi.plugin(PLUGIN)?.controller(controller)?.[action]?.(koa, undefined, true);
      requireSuccess(koa);
      return result(koa.body);
    };
  return Object.fromEntries(
    Object.entries(calls)
      .filter(([, call]) => replaced.has(actionOf(call)))
      .map(([name, call]) => [name, resolve(call)]),
  );
}

/** A separate context for one mutation, because the response of the action is not the response of the request. */
function createContext(
  app: OpenProject['server']['app'],
  { koaContext, caller }: GraphqlContext,
  path: string,
  { body: sent, params = {}, query = {} }: ReturnType<Call['request']>,
): Context {
  const outer = koaContext as Context;
  const koa = app.createContext(outer.req, new ServerResponse(outer.req)) as unknown as Context;
  const auth = { ...(outer.state['auth'] as object), caller };
  koa.state = { ...outer.state, user: outer.state['user'] as unknown, auth, route: { path, config: {} } };
  Object.assign(koa.request, { body: sent });
  return Object.assign(koa, { params, query });
}

/** @throws HttpError for refusals by `ctx.badRequest()` and similar methods */
function requireSuccess(koa: Context): void {
  const { status, body: answered } = koa;
  if (status < 400) return;
  const { message, details } = ((answered as Named | undefined)?.['error'] ?? {}) as Named;
  koa.throw(status, String(message ?? koa.message), { details: details as unknown });
}
