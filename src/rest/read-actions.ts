import type { Request } from 'express';
import type { Caller } from '../documents/caller.js';
import { emptyQuery } from '../documents/context.js';
import type { Read, ResponseSerializer } from '../documents/read-operation.js';
import { forRead, isLocalRequest, type ReadContext } from '../documents/request-context.js';
import { textOf, type SerializedResponse } from '../documents/response/response-cache.js';
import { requireId } from '../query/parse/input.js';
import type { Key } from '../query/parse/parse-key.js';
import { withoutPages } from '../query/parse/parse-pagination.js';
import { parseQuery } from '../query/parse/parse-query.js';
import { selectsAll } from '../query/plugin-parameters.js';
import type { ActionRequest, Handle, RestContext } from './action.js';
import { createEntryParser, createKeyParser, createListParser, readableQuery } from './parsed-queries.js';
import { isPreviewOf, queryOf, queryStringOf } from './requests.js';
import {
  countSerializer,
  entriesSerializer,
  entrySerializer,
  listSerializer,
  serializeJson,
} from './response/serialize.js';
import { sendSerialized } from './response/send.js';

type ReadAction = 'find' | 'findOne' | 'findByKey' | 'findSingle' | 'count';

/** Strapi v4's reads, the read of an entry by a key, and the count of a list: parse, read, send. */
export function createReadActions(context: RestContext): Readonly<Record<ReadAction, Handle>> {
  const { limits, responseLimit, readPreview } = context;
  const parseList = createListParser(limits);
  const parseEntry = createEntryParser(limits);
  const parseByKey = createKeyParser(limits);
  const listed = listSerializer(responseLimit);
  const single = entrySerializer(responseLimit);
  const answer = async (
    action: ActionRequest,
    requested: Read,
    serializer: ResponseSerializer,
    previewed = false,
  ): Promise<void> => {
    const read = { ...forRead(action), previewed };
    return sendSerialized(
      action.response,
      await respondExplained(context, action.request, requested, read, serializer),
    );
  };
  const isPreviewed = ({ type: { uid }, request, response }: ActionRequest, id?: number): boolean =>
    isPreviewOf({ uid, id }, queryOf(request), response, readPreview);
  return {
    find: async (action) => {
      const query = parseList(action.type, queryStringOf(action.request));
      await answer(action, { action: 'find', query }, listed);
    },
    findOne: async (action) => {
      const { query } = readableQuery(action, 'findOne', parseEntry(action.type, queryStringOf(action.request)));
      const id = requireId(action.id);
      await answer(action, { action: 'findOne', query, id }, single, isPreviewed(action, id));
    },
    findByKey: async (action) => {
      const { type, request } = action;
      const parsed = parseByKey(type, queryStringOf(request), request.params as unknown as Key);
      const { query } = readableQuery(action, 'findByKey', parsed);
      await answer(action, { action: 'findByKey', query }, single);
    },
    findSingle: async (action) => {
      const { type, request } = action;
      const query = parseQuery(withoutPages(queryOf(request)), type, 'client', limits);
      if (!selectsAll(query)) return answer(action, { action: 'findSingle', query }, single, isPreviewed(action));
      const pagination = { form: 'offset', start: 0, limit: limits.maxLimit, withCount: false } as const;
      await answer(action, { action: 'find', query: { ...query, pagination } }, entriesSerializer(responseLimit));
    },
    count: async (action) => {
      const { type, request } = action;
      const { filter, publicationState, parameters } = parseQuery(queryOf(request), type, 'client', limits);
      const pagination = { form: 'offset', start: 0, limit: 1, withCount: true } as const;
      const query = { ...emptyQuery(type), filter, publicationState, parameters, pagination };
      await answer(action, { action: 'find', query }, countSerializer);
    },
  };
}

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
const respondExplained = (
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
