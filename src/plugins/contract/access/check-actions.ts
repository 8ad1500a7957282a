import { unknownName } from '../../../content-types/model/nearest-name.js';
import { AppError } from '../../../errors/app-error.js';

/** @throws AppError application, listing unknown actions with suggestions */
export function checkActions(actions: readonly string[], allowedActions: readonly string[]): void {
  const unknown = actions.filter((action) => !allowedActions.includes(action));
  const reasons = unknown.map((action) => unknownName(action, 'action', allowedActions));
  if (reasons.length > 0) throw new AppError('application', reasons.join('\n'));
}
