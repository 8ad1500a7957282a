import type { Query } from '../../query/ast.js';
import { hasRules, type Caller } from '../caller.js';
import type { Interceptor, InterceptorContext } from '../interceptors.js';

/** What the interceptors have made of a query, and what they saw. */
interface Rewritten extends Pick<InterceptorContext, 'action' | 'presenter'> {
  readonly query: Query;
  readonly kind: Caller['kind'];
  /** The permissions of the caller that were checked, and the results. */
  readonly rights: ReadonlyMap<string, boolean>;
  readonly state: unknown;
}

/**
 * Remembers what interceptors make of a query, for all callers with the same results of their permission checks. Rules depend on the
 * caller and the time, so they are applied to each request, and so is an interceptor that looks at who the caller is.
 */
export function rememberRewritten(intercept: Interceptor): Interceptor {
  const rewritten = new WeakMap<Query, Rewritten>();
  return (query, context) => {
    const { action, caller, presenter, previewed = false } = context;
    if (previewed || hasRules(caller)) return intercept(query, context);
    const state = intercept.state?.();
    const before = rewritten.get(query);
    const isSame = before !== undefined && before.action === action && before.presenter === presenter;
    if (isSame && before.state === state && before.kind === caller.kind && agrees(caller, before.rights)) {
      return before.query;
    }
    const rights = new Map<string, boolean>();
    const may = (checked: string): boolean => {
      const allowed = caller.may(checked);
      rights.set(checked, allowed);
      return allowed;
    };
    let isPersonal = false;
    const personal = <K extends 'user' | 'credentials'>(name: K): Caller[K] => {
      isPersonal = true;
      return caller[name];
    };
    const observed: Caller = Object.defineProperties(
      { ...caller, may },
      {
        user: { get: () => personal('user'), enumerable: true },
        credentials: { get: () => personal('credentials'), enumerable: true },
      },
    );
    const result = intercept(query, { ...context, caller: observed });
    if (isPersonal) rewritten.delete(query);
    else
      rewritten.set(query, {
        query: result,
        action,
        ...(presenter && { presenter }),
        kind: caller.kind,
        rights,
        state,
      });
    return result;
  };
}

function agrees({ may }: Caller, rights: Rewritten['rights']): boolean {
  for (const [action, allowed] of rights) if (may(action) !== allowed) return false;
  return true;
}
