import { AppError } from '../errors/app-error.js';
import type { Condition } from '../plugins/contract/write-terms.js';

/** The headers of a request that have its condition. */
export interface ConditionalHeaders {
  readonly 'if-match'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
}

/** The condition of a write, by its headers. @throws AppError badRequest */
export function conditionOf(headers: ConditionalHeaders): Condition | undefined {
  const { 'if-match': match, 'if-none-match': absent } = headers;
  if (absent !== undefined && absent !== '*') throw new AppError('badRequest', 'If-None-Match of a write must be *');
  if (match === undefined) return absent === undefined ? undefined : { absent: true };
  if (absent !== undefined) throw new AppError('badRequest', 'If-Match and If-None-Match exclude each other');
  return matchOf(match);
}

const tags = /^\s*(?:W\/)?"[^"]*"\s*(?:,\s*(?:W\/)?"[^"]*"\s*)*$/;

/**
 * The condition of these tags. They identify the bytes of a body, although they are written as weak ones, as in Strapi
 * v4 (corpus: 10-crud/10-read); so they are compared like strong ones.
 * @throws AppError badRequest
 */
export function matchOf(written: string): Condition {
  if (written.trim() === '*') return { match: '*' };
  if (!tags.test(written)) throw new AppError('badRequest', 'If-Match must be * or a list of ETags');
  return { match: new Set(written.match(/"[^"]*"/g)) };
}

/** Whether a write only creates. */
export const onlyCreates = (condition: Condition | undefined): boolean =>
  condition !== undefined && 'absent' in condition;
