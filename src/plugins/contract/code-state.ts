import { anonymous, hasRules, type Caller } from '../../documents/caller.js';
import { parseId } from '../../query/parse/input.js';

/** What of `ctx.state` says who calls. Code can change all of it. */
export interface CodeState {
  readonly auth?: CodeAuth | null | undefined;
  readonly user?: unknown;
}

/** `ctx.state.auth` of Strapi v4, of the service or of code. */
export interface CodeAuth {
  readonly strategy?: unknown;
  readonly ability?: { can?(action: string): unknown } | null | undefined;
  readonly [AUTHENTICATED]?: Authenticated;
}

/** Whom the service has authenticated, and what it has told code of them. Copies of the object have it too. */
const AUTHENTICATED = Symbol('authenticated');

interface Authenticated {
  readonly caller: Caller;
  readonly strategy: unknown;
  readonly can: unknown;
}

/** `ctx.state.auth` for this caller. */
export const authOf = <Auth extends CodeAuth>(auth: Auth, caller: Caller): Auth =>
  Object.defineProperty(auth, AUTHENTICATED, {
    value: { caller, strategy: auth.strategy, can: auth.ability?.can },
    enumerable: true,
  });

/** Whom the service has authenticated, whatever code has made of the rights. */
export const authenticatedIn = (auth: CodeAuth | null | undefined): Caller | undefined => auth?.[AUTHENTICATED]?.caller;

/**
 * Whose rights a request has, as code has left `ctx.state.auth`: nobody's without it, and those of an ability that code
 * has put there. Rules of whoever was authenticated apply to both.
 * @param running the state of the request that runs, for an object that code puts together
 * @throws Error for a strategy that only code knows: it would have to be asked for each action
 */
export function callerIn({ auth }: CodeState, running: CodeState = {}): Caller {
  const current = authenticatedIn(running.auth);
  const ruled = current !== undefined && hasRules(current) ? current : undefined;
  if (auth === undefined || auth === null) return ruled ?? anonymous;
  const authenticated = auth[AUTHENTICATED];
  const { strategy, ability } = auth;
  const can = ability?.can;
  if (authenticated !== undefined && authenticated.strategy === strategy && authenticated.can === can)
    return authenticated.caller;
  if (strategy !== authenticated?.strategy && verifies(strategy))
    throw new Error('ctx.state.auth has a strategy of its own: register it with strapi.auth.register');
  const { isUnlimited: _, ...known } = authenticated?.caller ?? ruled ?? anonymous;
  return { ...known, may: (action) => auth.ability?.can?.(action) === true };
}

/**
 * Whom an action of accounts is about: the user in `ctx.state.user`, whoever was authenticated, with the rights of
 * `ctx.state.auth`. Nobody is there once code has removed it.
 */
export function accountIn(state: CodeState): Caller {
  const { user: _, ...caller } = callerIn(state);
  const user = parseId((state.user as { readonly id?: unknown } | null | undefined)?.id);
  return user === undefined ? caller : { ...caller, user };
}

const verifies = (strategy: unknown): boolean =>
  typeof (strategy as { readonly verify?: unknown } | null | undefined)?.verify === 'function';
