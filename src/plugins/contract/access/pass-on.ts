import type { Caller } from '../../../documents/caller.js';
import { restricted } from './access.js';

/**
 * Why a caller may not pass an action on, to a token or a user; undefined: the caller may do it, and without a rule,
 * which would not go with it.
 * @throws AppError forbidden if a value of the rule is missing
 */
export function whyNotPassOn(action: string, caller: Caller): string | undefined {
  if (!caller.may(action)) return 'which you may not do yourself';
  const isLimited =
    caller.may(restricted(action)) ||
    [caller.where, caller.set, caller.withheld].some((limit) => limit?.(action) !== undefined);
  return isLimited && caller.isUnlimited !== true ? 'which you may do only with a rule' : undefined;
}
