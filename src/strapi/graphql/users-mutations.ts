import { ServerResponse } from 'node:http';
import type { Context, Middleware, Next } from 'koa';
import { arrivedBody, keepArrived } from '../../plugins/contract/arrived-body.js';
import type { GraphqlContext, GraphqlResolver } from '../../plugins/contract/graphql/parts.js';
import type { OpenProject } from '../open-project.js';
import { RATE_LIMIT } from '../project/built-in-plugins.js';
import type { Anything, Named } from '../strapi.js';

const PLUGIN = 'users-permissions';

/** The input of a controller's action for a mutation, as in Strapi v4. */
interface Call {
  /** `auth.callback`: its controller, and its name there. */
  readonly action: string;
  readonly request: (args: Anything) => { readonly body?: Named; readonly params?: Named; readonly query?: Named };
  /** The result of the mutation, from the body of the response. */
  readonly result: (body: Anything) => unknown;
}

const loggedIn = (body: Anything): unknown => ({ user: body?.user ?? body, jwt: body?.jwt });
const entity = (value: Anything): unknown => ({ value });
const body = (args: Anything): { readonly body: Named } => ({ body: { ...args } });
const ofRole = (role: unknown): { readonly params: Named } => ({ params: { role } });
const done = (): unknown => ({ ok: true });

const calls: Readonly<Record<string, Call>> = {
  login: {
    action: 'auth.callback',
    request: ({ input }) => ({ body: { ...input }, params: { provider: input.provider as unknown } }),
    result: loggedIn,
  },
  register: { action: 'auth.register', request: ({ input }) => body(input), result: loggedIn },
  forgotPassword: { action: 'auth.forgotPassword', request: body, result: ({ ok }) => ({ ok }) },
  resetPassword: { action: 'auth.resetPassword', request: body, result: loggedIn },
  changePassword: { action: 'auth.changePassword', request: body, result: loggedIn },
  emailConfirmation: {
    action: 'auth.emailConfirmation',
    request: (args) => ({ query: { ...args } }),
    result: loggedIn,
  },
  createUsersPermissionsRole: { action: 'role.createRole', request: ({ data }) => body(data), result: done },
  updateUsersPermissionsRole: {
    action: 'role.updateRole',
    request: ({ id, data }) => ({ ...ofRole(id), ...body(data) }),
    result: done,
  },
  deleteUsersPermissionsRole: { action: 'role.deleteRole', request: ({ id }) => ofRole(id), result: done },
  createUsersPermissionsUser: { action: 'user.create', request: ({ data }) => body(data), result: entity },
  updateUsersPermissionsUser: {
    action: 'user.update',
    request: ({ id, data }) => ({ params: { id }, body: { ...data } }),
    result: entity,
  },
  deleteUsersPermissionsUser: { action: 'user.destroy', request: ({ id }) => ({ params: { id } }), result: entity },
};

const uidOf = ({ action }: Call): string => `plugin::${PLUGIN}.${action}`;

/** The actions that these mutations run. */
export const calledActions: ReadonlySet<string> = new Set(Object.values(calls).map(uidOf));

/**
 * The mutations of users-permissions whose actions the project's `strapi-server` replaced call the controllers of the
 * plugin: as in Strapi v4, a replaced action also applies to GraphQL.
 */
export function usersMutations({
  strapi,
  server,
  replacedActions,
  limitedActions,
}: OpenProject): Readonly<Record<string, GraphqlResolver>> {
  const replaced = new Set(replacedActions.map(({ action }) => action));
  const resolve = (mutation: string, call: Call): GraphqlResolver => {
    const { action, request, result } = call;
    const [controller = '', name = ''] = action.split('.');
    const limit = limitedActions.has(uidOf(call))
      ? (strapi.middleware(RATE_LIMIT)?.({}, { strapi }) as Middleware | undefined)
      : undefined;
    return async (_, args, context, info) => {
      const koa = createContext(server.app, context, request(args));
      keepArrived(koa.request, request(arrivedBody(info) ?? args).body);
      const run: Next = async () => strapi.plugin(PLUGIN)?.controller(controller)?.[name]?.(koa, undefined, true);
      // As of the route that leads to the action over REST.
      Object.assign(koa.state['route'] as Named, { method: 'POST', path: `mutation ${mutation}` });
      await (limit === undefined ? run() : limit(koa, run));
      requireSuccess(koa);
      return result(koa.body);
    };
  };
  return Object.fromEntries(
    Object.entries(calls)
      .filter(([, call]) => replaced.has(uidOf(call)))
      .map(([name, call]) => [name, resolve(name, call)]),
  );
}

/** A separate context for one mutation, because the response of the action is not the response of the request. */
function createContext(
  app: OpenProject['server']['app'],
  { koaContext }: GraphqlContext,
  { body: sent, params = {}, query = {} }: ReturnType<Call['request']>,
): Context {
  const outer = koaContext as Context;
  const koa = app.createContext(outer.req, new ServerResponse(outer.req)) as unknown as Context;
  koa.state = { ...outer.state };
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
