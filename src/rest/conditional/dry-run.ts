import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../errors/app-error.js';
import type { QueryInput } from '../../query/parse/input.js';

const values: Readonly<Record<string, boolean>> = { true: true, false: false };

/** Whether a write is only checked, because its query has `dryRun`. @throws AppError invalidParameter, badRequest */
export function isDryRun({ dryRun = 'false' }: QueryInput, headers: IncomingHttpHeaders): boolean {
  const value = typeof dryRun === 'string' && Object.hasOwn(values, dryRun) ? values[dryRun] : undefined;
  if (value === undefined) throw new AppError('invalidParameter', 'dryRun');
  if (value && headers['content-type']?.startsWith('multipart/') === true)
    throw new AppError('badRequest', 'dryRun needs a body in JSON: the files of a form are stored before the entry');
  return value;
}

/** Refuses it for a write that would be executed. @throws AppError badRequest */
export function refuseDryRun({ dryRun = 'false' }: QueryInput, reason: string): void {
  if (dryRun !== 'false') throw new AppError('badRequest', `dryRun is not supported here: ${reason}`);
}
