import { AppError } from '../errors/app-error.js';

/** What a write expects of its entry: that it is as one of these tags says, or, with `*`, that it exists; or that there is none. */
export type Condition = { readonly match: '*' | ReadonlySet<string> } | { readonly absent: true };

/** The headers of a request that have its condition. */
interface ConditionalHeaders {
  readonly 'if-match'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
}

/** Why a request has no use for a header; those that are not named it has. */
export type Useless = Readonly<Partial<Record<'If-Match' | 'If-None-Match' | 'Idempotency-Key', string>>>;

const CREATES = 'a POST creates an entry';

/** What has no use for which condition. An entry that the address names by its id exists or not: only other names can be written without it. */
export const uselessFor = {
  creation: { 'If-Match': CREATES, 'If-None-Match': CREATES },
  entry: { 'If-None-Match': 'it needs a PUT by a key, or of a single type' },
  named: {},
} as const satisfies Readonly<Record<string, Useless>>;

/** Refuses headers that would have no effect. @throws AppError badRequest */
export function refuseUseless(headers: Readonly<Record<string, unknown>>, useless: Useless): void {
  const [name, reason] = Object.entries(useless).find(([key]) => headers[key.toLowerCase()] !== undefined) ?? [];
  if (name !== undefined) throw new AppError('badRequest', `${name} is not supported here: ${reason}`);
}

/** The condition of a write, by its headers. @throws AppError badRequest */
export function conditionOf(headers: ConditionalHeaders, useless: Useless): Condition | undefined {
  const { 'if-match': match, 'if-none-match': absent } = headers;
  if (match === undefined && absent === undefined) return undefined;
  refuseUseless({ ...headers }, useless);
  if (absent !== undefined && absent !== '*') throw new AppError('badRequest', 'If-None-Match of a write must be *');
  if (match === undefined) return { absent: true };
  if (absent !== undefined) throw new AppError('badRequest', 'If-Match and If-None-Match exclude each other');
  return matchOf(match);
}

const tags = /^\s*(?:W\/)?"[^"]*"\s*(?:,\s*(?:W\/)?"[^"]*"\s*)*$/;

/**
 * The condition of these tags. They identify the bytes of a body, although they are written as weak ones, as in Strapi v4 (corpus: 10-crud/10-read); so
 * they are compared like strong ones.
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
