import type { Request } from 'express';
import type { Caller } from '../documents/caller.js';
import type { Read, ResponseSerializer } from '../documents/read-operation.js';
import { isLocalRequest, type ReadContext } from '../documents/request-context.js';
import { textOf, type SerializedResponse } from '../documents/response/response-cache.js';
import type { RestContext } from './action.js';
import { queryOf } from './requests.js';
import { serializeJson } from './response/serialize.js';

/** An action that cannot be granted to roles and custom tokens: only full-access tokens have it. */
const ANYTHING = 'admin::explain';

/**
 * Whether an explanation is requested: in development by local clients with the header `X-Explain: 1`, and
 * always by a full-access token with this header or the parameter `explain=true`.
 */
function isExplained(request: Request, caller: Caller, development: boolean): boolean {
  const byHeader = development && request.headers['x-explain'] === '1';
  if (byHeader && isLocalRequest(request)) return true;
  if (caller.kind !== 'token' || !(byHeader || request.originalUrl.includes('explain=true'))) return false;
  return caller.may(ANYTHING) && (byHeader || queryOf(request)['explain'] === 'true');
}

/** The response to a read; with its explanation, if that is requested. */
export const respondExplained = (
  { documents, development, responseLimit }: RestContext,
  request: Request,
  requested: Read,
  read: ReadContext,
  serializer: ResponseSerializer,
): Promise<SerializedResponse> =>
  isExplained(request, read.caller, development)
    ? documents.respond({ ...requested, explained: true }, read, withExplanation(serializer, responseLimit))
    : documents.respond(requested, read, serializer);

const withExplanation = ({ presenter, present }: ResponseSerializer, limit: number): ResponseSerializer => ({
  presenter,
  present: (page, query, explanation) => {
    const body = JSON.parse(textOf(present(page, query))) as object;
    return serializeJson({ ...body, explain: explanation }, limit);
  },
});
