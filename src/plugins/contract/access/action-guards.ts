import { isRecord } from '../../../config/record.js';
import { AppError } from '../../../errors/app-error.js';
import { StartError } from '../../../errors/start-error.js';
import type { Extension, ExtensionContext } from '../extension.js';
import { unknownAction } from './actions.js';
import type { ActionGuard, ActionGuards, RestGuard } from './policy-request.js';

/**
 * The policies of a project's `guards`, by action.
 * @throws StartError listing each unknown action, and each guard of an invalid form, which would protect nothing
 */
export function createActionGuards(
  guards: NonNullable<Extension['guards']>,
  actions: readonly string[],
  context: ExtensionContext,
): ActionGuards {
  const unknown = Object.keys(guards).filter((action) => !actions.includes(action));
  if (unknown.length > 0) {
    throw new StartError(unknown.map((action) => `guards: ${unknownAction(action, actions)}`).join('\n'));
  }
  const misshapen = Object.entries(guards).filter(([, guard]) => !isGuard(guard));
  if (misshapen.length > 0) {
    const allowed = 'an object with policies and middlewares, both lists of functions';
    throw new StartError(misshapen.map(([action]) => `guards: ${action} must be ${allowed}`).join('\n'));
  }
  const byAction = new Map(
    Object.entries(guards).flatMap(([action, { policies = [] }]): (readonly [string, ActionGuard])[] => {
      const run: ActionGuard = async (request) => {
        for (const policy of policies) if (!(await policy(request, context))) throw new AppError('forbidden');
      };
      return policies.length === 0 ? [] : [[action, run]];
    }),
  );
  return (action) => byAction.get(action);
}

const guardParts = new Set(['policies', 'middlewares']);

const isGuard = (guard: unknown): boolean =>
  isRecord(guard) &&
  Object.entries(guard).every(
    ([part, list]) =>
      guardParts.has(part) && Array.isArray(list) && list.every((entry: unknown) => typeof entry === 'function'),
  );

export const middlewaresOf = (guards: NonNullable<Extension['guards']>): readonly RestGuard[] =>
  Object.entries(guards).flatMap(([action, { middlewares = [] }]) =>
    middlewares.length === 0 ? [] : [{ action, guard: 'middlewares in guards' }],
  );
