import { AppError } from '../../errors/app-error.js';
import type { QueryInput } from '../../query/parse/input.js';

/** Refuses the parameter `dryRun` for a write that would be executed. @throws AppError badRequest */
export function refuseDryRun({ dryRun = 'false' }: QueryInput, reason: string): void {
  if (dryRun !== 'false') throw new AppError('badRequest', `dryRun is not supported here: ${reason}`);
}
