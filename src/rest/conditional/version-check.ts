import type { IncomingHttpHeaders } from 'node:http';
import { tagOf } from '../../documents/response/response-body.js';
import type { ResponseBody } from '../../documents/response/response-cache.js';
import type { CheckVersion } from '../../documents/write/conditional/while-unchanged.js';
import { AppError } from '../../errors/app-error.js';

const tags = /^\s*(?:W\/)?"[^"]*"\s*(?:,\s*(?:W\/)?"[^"]*"\s*)*$/;

/** Refuses headers that would have no effect. @throws AppError badRequest */
export function refuseHeaders(headers: IncomingHttpHeaders, names: readonly string[], reason: string): void {
  const name = names.find((candidate) => headers[candidate.toLowerCase()] !== undefined);
  if (name !== undefined) throw new AppError('badRequest', `${name} is not supported here: ${reason}`);
}

/** Refuses `If-None-Match` where a write creates nothing. @throws AppError badRequest */
export const refuseAbsence = (headers: IncomingHttpHeaders): void =>
  refuseHeaders(headers, ['If-None-Match'], 'it needs a PUT by a key, or of a single type');

/** Whether a write only creates, by `If-None-Match: *`. @throws AppError badRequest */
export function onlyCreates({ 'if-none-match': absent }: IncomingHttpHeaders): boolean {
  if (absent !== undefined && absent !== '*') throw new AppError('badRequest', 'If-None-Match of a write must be *');
  return absent !== undefined;
}

/**
 * The check of `If-Match`: the response to a GET of the same URL has one of its tags. These identify the bytes of a body, although they
 * are written as weak ones, as in Strapi v4; so they are compared like strong ones.
 * @param read the body of that response
 * @throws AppError badRequest
 */
export function versionCheck(
  { 'if-match': header, 'if-none-match': absent }: IncomingHttpHeaders,
  read: () => Promise<ResponseBody>,
): CheckVersion | undefined {
  if (header === undefined) return undefined;
  if (absent !== undefined) throw new AppError('badRequest', 'If-Match and If-None-Match exclude each other');
  // Every entry that exists matches.
  if (header.trim() === '*') return async () => undefined;
  if (!tags.test(header)) throw new AppError('badRequest', 'If-Match must be * or a list of ETags');
  const accepted = new Set<string>(header.match(/"[^"]*"/g));
  return async () => {
    const tag = tagOf(await read()).replace('W/', '');
    if (!accepted.has(tag)) throw new AppError('preconditionFailed', 'The entry has changed');
  };
}
