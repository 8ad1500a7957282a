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

/** What tells one caller from others with the same rights. */
const personal = ['user', 'credentials', 'identity'] as const;

/**
 * Remembers what interceptors make of a query, for all callers of one kind with the same results of their permission checks. Rules depend
 * on the caller and the time, so for callers with rules the interceptors run for each request, and so do interceptors that read who the
 * caller is.
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
    let isPersonal = false;
    for (const name of personal) {
      const get = (): unknown => {
        isPersonal = true;
        return caller[name];
      };
      Object.defineProperty(observed, name, { get, enumerable: true });
    }
    const result = intercept(query, { ...context, caller: observed });
    if (!isPersonal)
      rewritten.set(query, { query: result, action, ...(presenter && { presenter }), kind, rights, state });
    return result;
  };
}
