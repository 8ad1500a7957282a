import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { isRecord } from '../../config/record.js';
import { authenticatedIn, authOf, type CodeAuth } from '../../plugins/contract/code-state.js';
import { noteCaller, noteRefusal } from '../../plugins/contract/response-notes.js';
import type { Context, Middleware } from 'koa';
import type { Caller } from '../../documents/caller.js';
import { AppError, hasCode } from '../../errors/app-error.js';
import { reasonOf } from '../../errors/reason-of.js';
import type { Authenticate } from '../../plugins/contract/plugin-context.js';
import { verify, type ownStrategies, type Strategy } from '../services/auth.js';
import type { Named } from '../strapi.js';
import { errors } from '../utilities/errors.js';

/** What a route requires: nothing, or these permissions and strategies; undefined: authentication. */
type RouteAuth =
  false | { readonly scope?: readonly string[]; readonly strategies?: readonly (string | Strategy)[] } | undefined;

const routeAuthOf = (context: Context): RouteAuth => (context.state['route'] as Named)['config'].auth as RouteAuth;

export interface RouteAuthentication {
  /** Identifies the caller as the service does, and by the strategies of the project. */
  readonly authenticate: Authenticate;
  readonly strategies: readonly Strategy[];
  /** Every action that can be granted. */
  readonly actions: readonly string[];
  /** Loads the user with all attributes for code, unless code has loaded it. */
  readonly loadUser: (id: number, credentials: Caller['credentials']) => Promise<unknown>;
  /** The names of the strategies of the service, as code sees them. */
  readonly names: typeof ownStrategies;
}

/** Authenticates the caller of a request, unless the route has no authentication. */
export const authenticate =
  (parts: RouteAuthentication): Middleware =>
  async (context, next) => {
    const required = routeAuthOf(context);
    if (required === false) return next();
    const caller = await askWho(parts, context, required?.strategies);
    if (caller === undefined) return undefined;
    noteCaller(context.res, caller);
    if (caller.kind === 'strategy') return next();
    const { kind, user, credentials = null } = caller;
    if (user !== undefined) context.state['user'] = await parts.loadUser(user, caller.credentials);
    context.state['isAuthenticated'] = true;
    const auth = {
      strategy: { name: strategyName(kind, parts.names) },
      credentials: user === undefined ? withLifespan(credentials) : (context.state['user'] as unknown),
      ability: { can: caller.may },
    };
    context.state['auth'] = authOf(auth, caller);
    return next();
  };

/** The name of the strategy that authenticates this kind of caller. */
const strategyName = (kind: Caller['kind'], names: typeof ownStrategies): string =>
  names[kind === 'token' ? kind : 'user'];

/** Tokens have an end, but not the duration from which Strapi v4's admin panel computes it. */
const withLifespan = (token: Caller['credentials'] | null): Named | null =>
  token ? { ...token, lifespan: null } : null;

/** Undefined if the request got 401. */
async function askWho(
  { authenticate: ask, strategies, actions, names }: RouteAuthentication,
  context: Context,
  named: readonly (string | Strategy)[] | undefined,
): Promise<Caller | undefined> {
  try {
    if (named === undefined) return await ask(context.req, context.res);
    const wanted = named.flatMap((one) =>
      typeof one === 'string' ? (strategies.find(({ name }) => name === one) ?? []) : one,
    );
    const caller = await askStrategies(wanted, context, actions);
    if (caller !== undefined) return caller;
    const own = named.some((one) => Object.values(names).includes(String(one)))
      ? await ask(context.req, context.res)
      : undefined;
    if (own !== undefined && own.kind !== 'strategy' && named.includes(strategyName(own.kind, names))) return own;
    throw new AppError('unauthorized', 'Missing or invalid credentials');
  } catch (error) {
    if (!hasCode(error, 'unauthorized')) throw error;
    context['unauthorized'](error.message);
    return undefined;
  }
}

/**
 * The caller that one of these strategies of project code authenticates, in their order; undefined: none does. It sets
 * `ctx.state.auth`, as in Strapi v4.
 * @param actions every action that can be granted: a strategy is asked for each of them, because checks within a read
 * do not wait
 * @throws AppError unauthorized with the error of a strategy
 */
export async function askStrategies(
  strategies: readonly Strategy[],
  context: Context,
  actions: readonly string[],
): Promise<Caller | undefined> {
  for (const strategy of strategies) {
    const result = ((await strategy.authenticate(context)) ?? {}) as Named;
    const { authenticated = false, credentials, ability = null, error = null } = result;
    if (error !== null) throw new AppError('unauthorized', reasonOf(error));
    if (!authenticated) continue;
    const auth = { strategy, credentials: credentials as unknown, ability: ability as CodeAuth['ability'] };
    const id: unknown = (context.state['user'] as Named | undefined)?.['id'];
    const caller: Caller = {
      kind: 'strategy',
      may: await rightsOf(strategy, auth, actions),
      identity: createHash('sha256')
        .update(`${strategy.name} ${String(id)} ${inspect(credentials, { depth: 4 })}`)
        .digest('base64url'),
      ...(isRecord(credentials) && { credentials }),
      ...(Number.isInteger(id) && { user: id as number }),
    };
    context.state['isAuthenticated'] = true;
    context.state['auth'] = authOf(auth, caller);
    // Its credentials can be in any header.
    if (!context.res.headersSent) context.res.setHeader('Cache-Control', 'private, no-store');
    return caller;
  }
  return undefined;
}

async function rightsOf(strategy: Strategy, auth: Named, actions: readonly string[]): Promise<Caller['may']> {
  if (strategy.verify === undefined) return () => true;
  const allowed = await Promise.all(
    actions.map(async (action) => {
      try {
        await strategy.verify?.(auth, { scope: [action] });
        return [action];
      } catch {
        return [];
      }
    }),
  );
  const names = new Set(allowed.flat());
  return (action) => names.has(action);
}

/** @throws UnauthorizedError, ForbiddenError, and what a strategy of project code throws */
async function checkRights(context: Context): Promise<void> {
  const auth = routeAuthOf(context);
  if (auth === false) return;
  const state = context.state['auth'] as Parameters<typeof verify>[0];
  const caller = authenticatedIn(state);
  const lacking = caller?.kind === 'strategy' ? undefined : auth?.scope?.find((action) => caller?.may(action) !== true);
  if (lacking !== undefined) noteRefusal(context.res, lacking);
  await verify(state, auth);
}

/**
 * Checks that the caller may use the route. As in Strapi v4, errors of these kinds from inner middlewares get their
 * response here too, without their messages.
 * @param showsPolicies what policies say is shown
 */
export const authorize =
  (showsPolicies: boolean): Middleware =>
  async (context, next) => {
    try {
      await checkRights(context);
      return await next();
    } catch (error) {
      if (error instanceof errors.UnauthorizedError) return context['unauthorized']() as unknown;
      if (showsPolicies && error instanceof errors.PolicyError) throw error;
      if (error instanceof errors.ForbiddenError) return context['forbidden']() as unknown;
      throw error;
    }
  };
