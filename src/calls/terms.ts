import { AppError } from '../errors/app-error.js';
import { isForm } from '../plugins/contract/forms.js';
import type { RefusedTerms, Term, WriteTerms } from '../plugins/contract/write-terms.js';
import { flagOf, type QueryInput } from '../query/parse/input.js';
import { conditionOf, type ConditionalHeaders } from './condition.js';
import type { KeyHeaders } from './once.js';

/** The part of a request that has its terms, whichever door it came through. */
export interface AskedTerms {
  readonly headers: ConditionalHeaders & KeyHeaders;
  readonly query: QueryInput;
}

const isAsked: Readonly<Record<Term, (asked: AskedTerms) => boolean>> = {
  'If-Match': ({ headers }) => headers['if-match'] !== undefined,
  'If-None-Match': ({ headers }) => headers['if-none-match'] !== undefined,
  'Idempotency-Key': ({ headers }) => headers['idempotency-key'] !== undefined,
  dryRun: ({ query: { dryRun = 'false' } }) => dryRun !== 'false',
};

/**
 * The terms of a write. Those that it would not keep are refused: nobody may take for kept what has no effect.
 * @throws AppError badRequest, invalidParameter
 */
export function termsOf(asked: AskedTerms, refused: RefusedTerms): WriteTerms {
  refuseTerms(asked, refused);
  return { condition: conditionOf(asked.headers), isDryRun: isDryRun(asked) };
}

/** @throws AppError badRequest */
export function refuseTerms(asked: AskedTerms, refused: RefusedTerms): void {
  for (const [term, reason] of Object.entries(refused))
    if (isAsked[term as Term](asked)) throw new AppError('badRequest', `${term} is not supported here: ${reason}`);
}

/** Whether a write is only checked, because its query has `dryRun`. @throws AppError invalidParameter, badRequest */
function isDryRun({ query, headers }: AskedTerms): boolean {
  const isDry = flagOf(query, 'dryRun');
  if (isDry && isForm(headers))
    throw new AppError('badRequest', 'dryRun needs a body in JSON: the files of a form are stored before the entry');
  return isDry;
}
