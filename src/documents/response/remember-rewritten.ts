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
 * Remembers what interceptors make of a query, for all callers of one kind with the same results of their permission checks. Rules depend
 * on the caller and the time, so for callers with rules the interceptors run for each request.
 */
export function rememberRewritten(intercept: Interceptor): Interceptor {
  const rewritten = new WeakMap<Query, Rewritten>();
  return (query, context) => {
    const { action, caller, presenter, previewed = false } = context;
    const { kind } = caller;
    if (previewed || hasRules(caller)) return intercept(query, context);
    const state = intercept.state?.();
    const before = rewritten.get(query);
    const isSame =
      before !== undefined &&
      before.action === action &&
      before.presenter === presenter &&
      before.state === state &&
      before.kind === kind &&
      hasSameRights(caller, before.rights);
    if (isSame) return before.query;
    const { observed, rights } = observeRights(caller);
    // Without what identifies the caller: the result is used for others too.
    const result = intercept(query, { ...context, caller: { kind, may: observed.may } });
    rewritten.set(query, { query: result, action, ...(presenter && { presenter }), kind, rights, state });
    return result;
  };
}
