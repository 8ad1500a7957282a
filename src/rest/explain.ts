import type { Request } from 'express';
import { isLocalRequest } from '../documents/is-local-request.js';
import type { Caller } from '../documents/caller.js';
import { queryOf } from './requests.js';

/** An action that no role and no custom token can be allowed: only a token that may do everything may do it. */
const ANYTHING = 'admin::explain';

/**
 * Is it asked how the answer comes about? In development, clients on this machine ask with the header `X-Explain: 1`, and
 * everywhere a token that may do everything with this header or with the parameter `explain=true`.
 */
export function isExplained(request: Request, caller: Caller, development: boolean): boolean {
  const byHeader = development && request.headers['x-explain'] === '1';
  if (byHeader && isLocalRequest(request)) return true;
  if (caller.kind !== 'token' || !(byHeader || request.originalUrl.includes('explain=true'))) return false;
  return caller.may(ANYTHING) && (byHeader || queryOf(request)['explain'] === 'true');
}
