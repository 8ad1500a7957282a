import type { Request } from 'express';
import type { Caller } from '../documents/caller.js';
import { queryOf } from './requests.js';

/** An action that no role and no custom token can be allowed: only a token that may do everything may do it. */
const ANYTHING = 'admin::explain';

/**
 * Is it asked how the answer comes about? In development anyone asks with the header `X-Explain: 1`, elsewhere a token
 * that may do everything with the parameter `explain=true`.
 */
export function isExplained(request: Request, caller: Caller, development: boolean): boolean {
  if (development && request.headers['x-explain'] === '1') return true;
  if (caller.kind !== 'token' || !request.originalUrl.includes('explain=true')) return false;
  return caller.may(ANYTHING) && queryOf(request)['explain'] === 'true';
}
