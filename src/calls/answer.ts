import type { Documents } from '../documents/documents.js';
import type { ResponseSerializer } from '../documents/response/respond.js';
import { textOf } from '../documents/response/response-cache.js';
import { hasCode } from '../errors/app-error.js';
import type {
  ContentAnswer,
  ContentQuery,
  ContentRead,
  ContentReply,
  ContentRequest,
  ContentWrite,
} from '../plugins/contract/content-api.js';
import { isLocalRequest } from '../plugins/contract/http/local-request.js';
import type { RefusedTerms } from '../plugins/contract/write-terms.js';
import { answerWrite, keyableOf, type OnceParts } from './once.js';
import { queryOf } from './query-string.js';
import { serializeJson } from './serialize.js';
import { termsOf } from './terms.js';

/**
 * An action on content types in some form of the API: a read or a write, which it only parses; or what is neither, such
 * as a list of schedules.
 */
export type Action =
  | { readonly read: ContentRead }
  | { readonly write: ContentWrite; readonly refuses: RefusedTerms }
  | { readonly reply: ContentReply };

/** The dependencies of answers. */
export interface AnswerParts extends OnceParts {
  readonly documents: Documents;
  /** Every local client may explain queries. */
  readonly development: boolean;
}

/** The answer to an admitted request, in any form of the API. @throws AppError */
export async function answer(parts: AnswerParts, action: Action, asked: ContentRequest): Promise<ContentAnswer> {
  const { request, caller } = asked;
  if ('reply' in action) return action.reply(asked);
  if ('read' in action) return respond(parts, asked, await action.read(asked));
  const query = queryOf(request);
  const terms = termsOf({ headers: request.headers, query }, action.refuses);
  const perform = await action.write({ ...asked, query, terms });
  return answerWrite(parts, keyableOf(request), caller, terms, perform);
}

async function respond(
  { documents, development, responseLimit }: AnswerParts,
  asked: ContentRequest,
  { read, serializer, refuse }: ContentQuery,
): Promise<ContentAnswer> {
  try {
    return isExplained(asked, development)
      ? await documents.respond({ ...read, explained: true }, withExplanation(serializer, responseLimit))
      : await documents.respond(read, serializer);
  } catch (error) {
    if (hasCode(error, 'invalidParameter')) refuse?.();
    throw error;
  }
}

/**
 * Whether an explanation is requested: in development by local clients with the header `X-Explain: 1`, and by
 * full-access tokens with the parameter `explain=true`.
 */
function isExplained({ request, caller }: ContentRequest, development: boolean): boolean {
  const byHeader = development && request.headers['x-explain'] === '1';
  if (byHeader && isLocalRequest(request)) return true;
  if (caller.isUnlimited !== true) return false;
  return byHeader || (request.originalUrl.includes('explain=true') && queryOf(request)['explain'] === 'true');
}

const withExplanation = ({ present }: ResponseSerializer, limit: number): ResponseSerializer => ({
  present: (result) => {
    const body = JSON.parse(textOf(present(result))) as object;
    return serializeJson({ ...body, explain: result.explanation }, limit);
  },
});
