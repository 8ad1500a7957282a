import type { Request } from 'express';
import type { Caller } from '../documents/caller.js';
import { isLocalRequest } from '../documents/request-context.js';
import { queryOf } from './requests.js';

/** An action that cannot be granted to roles and custom tokens: only full-access tokens have it. */
const ANYTHING = 'admin::explain';

/**
 * Whether an explanation is requested: in development by local clients with the header `X-Explain: 1`, and
 * always by a full-access token with this header or the parameter `explain=true`.
 */
export function isExplained(request: Request, caller: Caller, development: boolean): boolean {
  const byHeader = development && request.headers['x-explain'] === '1';
  if (byHeader && isLocalRequest(request)) return true;
  if (caller.kind !== 'token' || !(byHeader || request.originalUrl.includes('explain=true'))) return false;
  return caller.may(ANYTHING) && (byHeader || queryOf(request)['explain'] === 'true');
}
