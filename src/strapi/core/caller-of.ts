import type { Context } from 'koa';
import type { Caller } from '../../documents/caller.js';
import type { Named } from '../strapi.js';

/** Who a request is from, for the documents service. On a route without authentication nobody may see what relations lead to. */
export function callerOf(context: Context): Caller {
  const auth = context.state['auth'] as Named | undefined;
  if (auth === undefined) return { kind: 'public', may: () => false, recipient: context.res };
  if (auth['caller'] !== undefined) return { ...(auth['caller'] as Caller), recipient: context.res };
  // An owner made it: only what it can decides.
  const { ability } = auth;
  return { kind: 'public', may: (action) => ability?.can(action) === true, recipient: context.res };
}
