import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { ContentType } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import { listingOf } from '../../documents/listings.js';
import type { EntryRequest } from '../../documents/context.js';
import { presentEntry, type Present } from '../../documents/read-operation.js';
import type { CheckVersion } from '../../documents/write/conditional/while-unchanged.js';
import { type QueryInput, requireId } from '../../query/parse/input.js';
import type { Key } from '../../query/parse/parse-key.js';
import { parseSingleQuery } from '../../query/parse/parse-query.js';
import type { RestContext } from '../action.js';
import { parseKeyQuery } from '../read-actions.js';
import { authorise } from '../authorise.js';
import { entryEnvelope, serializeJson } from '../response/serialize.js';
import { tagOf } from '../../documents/response/response-body.js';
import type { ResponseBody } from '../../documents/response/response-cache.js';
import { AppError } from '../../errors/app-error.js';

export interface CheckedRequest {
  readonly type: ContentType;
  readonly headers: IncomingHttpHeaders;
  readonly query: QueryInput;
  readonly caller: Caller;
  /** Undefined where code of a project calls a core action without a request. */
  readonly response: ServerResponse | undefined;
}

/** The `If-Match` checks of writes, by how the request names its entry. They compare what the caller can read. */
export function createEntryChecks({
  documents,
  limits,
  responseLimit,
}: Pick<RestContext, 'documents' | 'limits' | 'responseLimit'>) {
  const check = (
    { type, headers, caller, response }: CheckedRequest,
    read: (present: Present<unknown>) => Promise<unknown>,
  ): CheckVersion | undefined => {
    const { hasEnvelope = true, readOne = `${type.uid}.${type.kind === 'singleType' ? 'find' : 'findOne'}` } =
      listingOf(type) ?? {};
    const shown = hasEnvelope ? entryEnvelope : presentEntry;
    const compare = versionCheck(headers, async () => serializeJson(await read(shown), responseLimit));
    if (compare !== undefined) authorise(caller, readOne, response);
    return compare;
  };
  return {
    /** @throws AppError forbidden, badRequest */
    one: (checked: CheckedRequest, id: string, request: EntryRequest): CheckVersion | undefined => {
      refuseAbsence(checked.headers);
      const { type } = checked;
      const shown: EntryRequest = publishesCopy(type, request) ? { ...request, status: 'draft' } : request;
      return check(checked, (present) => documents.readEntry(type, requireId(id), shown, present));
    },
    /** @throws AppError forbidden, badRequest */
    single: (checked: CheckedRequest, request: EntryRequest): CheckVersion | undefined => {
      const { type } = checked;
      const input = publishesCopy(type, request) ? { ...checked.query, status: 'draft' } : checked.query;
      const query = () => parseSingleQuery(input, type, limits);
      return check(checked, (present) => documents.read({ ...request, action: 'findSingle', query: query() }, present));
    },
    /** @throws AppError forbidden, badRequest */
    byKey: (checked: CheckedRequest, key: Key, request: EntryRequest): CheckVersion | undefined => {
      const query = () => parseKeyQuery(key, checked.query, checked.type, limits);
      return check(checked, (present) => documents.read({ ...request, action: 'findByKey', query: query() }, present));
    },
  };
}

/** What such a write publishes is the latest state, also what others have prepared: so the tag is that of this state. */
const publishesCopy = (type: ContentType, { status }: EntryRequest): boolean =>
  type.copies !== undefined && status === 'published';

export type EntryChecks = ReturnType<typeof createEntryChecks>;

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
