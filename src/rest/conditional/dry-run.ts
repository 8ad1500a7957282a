import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../errors/app-error.js';
import { isForm } from '../../plugins/contract/forms.js';
import type { QueryInput } from '../../query/parse/input.js';
import { flagOf } from '../query-parameters.js';

/** Whether a write is only checked, because its query has `dryRun`. @throws AppError invalidParameter, badRequest */
export function isDryRun(query: QueryInput, headers: IncomingHttpHeaders): boolean {
  const dryRun = flagOf(query, 'dryRun');
  if (dryRun && isForm(headers))
    throw new AppError('badRequest', 'dryRun needs a body in JSON: the files of a form are stored before the entry');
  return dryRun;
}
