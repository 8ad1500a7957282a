import type { Context } from 'koa';
import type { Caller } from '../../documents/caller.js';
import { createRequestContext, type RequestContext } from '../../documents/request-context.js';
import type { Named } from '../strapi.js';

/** The context of a request, for the documents service. */
export const requestOf = (context: Context): RequestContext => createRequestContext(callerOf(context), context.res);

/** On a route without authentication the caller may not see what relations lead to. */
function callerOf(context: Context): Caller {
  const auth = context.state['auth'] as Named | undefined;
  if (auth === undefined) return { kind: 'public', may: () => false };
  if (auth['caller'] !== undefined) return auth['caller'] as Caller;
  // Project code made it: only its `can` decides.
  const { ability } = auth;
  return { kind: 'public', may: (action) => ability?.can(action) === true };
}
