import { noteCaller, noteRefusal } from '../../plugins/contract/response-notes.js';
import type { Context, Middleware } from 'koa';
import type { Caller } from '../../documents/caller.js';
import { hasCode } from '../../errors/app-error.js';
import type { Authenticate } from '../../rest/requests.js';
import type { Named } from '../strapi.js';
import { errors } from '../utilities/errors.js';

/** Strapi v4's names of authentication strategies, by kind of caller. */
const strategies: Readonly<Record<Caller['kind'], string>> = {
  token: 'api-token',
  user: 'users-permissions',
  public: 'users-permissions',
  system: 'users-permissions',
};

/** The requirement of a route: none, or these permissions; undefined: authentication. */
type RouteAuth = false | { readonly scope?: readonly string[] } | undefined;

const authOf = (context: Context): RouteAuth => (context.state['route'] as Named)['config'].auth as RouteAuth;

/**
 * Authenticates the caller of a request, unless the route has no authentication.
 * @param loadUser loads the user with all attributes for code, by id
 */
export const authenticate =
  (ask: Authenticate, loadUser: (id: number) => Promise<unknown>): Middleware =>
  async (context, next) => {
    if (authOf(context) === false) return next();
    const caller = await askWho(ask, context);
    if (caller === undefined) return undefined;
    noteCaller(context.res, caller);
    const { kind, user, credentials = null } = caller;
    if (user !== undefined) context.state['user'] = await loadUser(user);
    context.state['isAuthenticated'] = true;
    context.state['auth'] = {
      strategy: { name: strategies[kind] },
      credentials: user === undefined ? withLifespan(credentials) : (context.state['user'] as unknown),
      ability: { can: (action: string) => caller.may(action) },
      caller,
    };
    return next();
  };

/** Tokens have an end, but not the duration from which Strapi v4's admin panel computes it. */
const withLifespan = (token: Caller['credentials'] | null): Named | null =>
  token ? { ...token, lifespan: null } : null;

/** Undefined if the request got 401. */
async function askWho(ask: Authenticate, context: Context): Promise<Caller | undefined> {
  try {
    return await ask(context.req.headers);
  } catch (error) {
    if (!hasCode(error, 'unauthorized')) throw error;
    context['unauthorized'](error.message);
    return undefined;
  }
}

/** @throws UnauthorizedError, ForbiddenError */
function checkRights(context: Context): void {
  const auth = authOf(context);
  if (auth === false) return;
  const { caller } = context.state['auth'] as { readonly caller: Caller };
  if (auth?.scope !== undefined) {
    const lacking = auth.scope.find((action) => !caller.may(action));
    if (lacking === undefined) return;
    noteRefusal(context.res, lacking);
    throw new errors.ForbiddenError();
  }
  // A route without a scope requires a user or a full-access token.
  if (caller.kind === 'public') throw new errors.UnauthorizedError();
  if (caller.kind === 'token' && caller.credentials?.['type'] !== 'full-access') throw new errors.ForbiddenError();
}

/**
 * Checks that the caller may use the route. As in Strapi v4, errors of these kinds from inner middlewares get their response here
 * too, without their messages.
 */
export const authorize: Middleware = async (context, next) => {
  try {
    checkRights(context);
    return await next();
  } catch (error) {
    if (error instanceof errors.UnauthorizedError) return context['unauthorized']() as unknown;
    if (error instanceof errors.ForbiddenError) return context['forbidden']() as unknown;
    throw error;
  }
};
