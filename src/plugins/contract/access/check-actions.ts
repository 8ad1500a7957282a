import { unknownName } from '../../../content-types/model/nearest-name.js';
import { AppError } from '../../../errors/app-error.js';

/** @throws AppError application, naming the actions that are none and what was probably meant */
export function checkActions(given: readonly string[], known: readonly string[]): void {
  const unknown = given.filter((action) => !known.includes(action));
  const reasons = unknown.map((action) => unknownName(action, 'action', known));
  if (reasons.length > 0) throw new AppError('application', reasons.join('\n'));
}
