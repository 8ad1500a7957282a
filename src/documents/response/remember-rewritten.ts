import type { Query } from '../../query/ast.js';
import { hasRules, hasSameRights, observeRights, type Caller, type CheckedRights } from '../caller.js';
import type { Interceptor, InterceptorContext } from '../interceptors.js';

/** What the interceptors have made of a query, and what they saw. */
interface Rewritten extends Pick<InterceptorContext, 'action' | 'presenter'> {
  readonly query: Query;
  readonly kind: Caller['kind'];
  readonly rights: CheckedRights;
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
    if (isSame && before.state === state && before.kind === caller.kind && hasSameRights(caller, before.rights)) {
      return before.query;
    }
    const { observed, rights } = observeRights(caller);
    let isPersonal = false;
    const personal = <K extends 'user' | 'credentials'>(name: K): Caller[K] => {
      isPersonal = true;
      return caller[name];
    };
    const watched: Caller = Object.defineProperties(observed, {
      user: { get: () => personal('user'), enumerable: true },
      credentials: { get: () => personal('credentials'), enumerable: true },
    });
    const result = intercept(query, { ...context, caller: watched });
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
