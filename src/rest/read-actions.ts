import type { Request } from 'express';
import { serializeJson } from '../calls/serialize.js';
import type { ContentType } from '../content-types/model/types.js';
import type { Caller } from '../documents/caller.js';
import { emptyQuery } from '../documents/context.js';
import type { ReadRequest } from '../documents/read-operation.js';
import type { ResponseSerializer } from '../documents/response/respond.js';
import type { Action } from '../documents/interceptors.js';
import { assertReadable, withheldFrom } from '../documents/rights.js';
import { forRead } from '../documents/request-context.js';
import { isLocalRequest } from '../plugins/contract/http/local-request.js';
import { textOf } from '../documents/response/response-cache.js';
import { AppError } from '../errors/app-error.js';
import type { PublicationState, Query } from '../query/ast.js';
import { plainEntry } from '../query/entry-presenter.js';
import { requireId, type QueryInput } from '../query/parse/input.js';
import { parseAggregate } from '../query/parse/parse-aggregate.js';
import { parseKey, type Key } from '../query/parse/parse-key.js';
import { parsePublicationState, parseSelection } from '../query/parse/parse-selection.js';
import {
  parseQuery,
  parseSingleQuery,
  parseUnused,
  type Unused,
  type QueryLimits,
} from '../query/parse/parse-query.js';
import { hasStatus, parseStatus, stateOfStatus } from '../query/parse/parse-status.js';
import { alternativesOf, parseValues, refuseAlternatives, selectsAll } from '../query/plugin-parameters.js';
import type { ContentAnswer } from '../plugins/contract/content-api.js';
import type { RestContext } from './action.js';
import { isPreviewOf } from './preview.js';
import { parseQueryString, queryOf, queryStringOf } from './query-string.js';
import { rememberParsed, type Parse } from './remember-parsed.js';
import { countSerializer, entriesSerializer, entrySerializer, listSerializer } from './response/envelopes.js';
import { restPresenter } from './response/rest-presenter.js';
import type { RestAction, RestRequest } from './rest-request.js';

/** Strapi v4's reads, the read of an entry by a key, and the count of a list: parse, read, answer. */
export function createReadActions(context: RestContext) {
  const { documents, development, limits, responseLimit, readPreview, answererOf } = context;
  const parseList = createListParser(limits);
  const parseEntry = createEntryParser(limits);
  const parseGroups = rememberParsed((input, type) => parseAggregate(input, type, 'client', limits));
  const listed = listSerializer(responseLimit);
  const single = entrySerializer(responseLimit);
  const answer = async (
    { request }: RestRequest,
    read: ReadRequest,
    serializer: ResponseSerializer,
  ): Promise<ContentAnswer> =>
    isExplained(request, read.caller, development)
      ? documents.respond({ ...read, explained: true }, withExplanation(serializer, responseLimit))
      : documents.respond(read, serializer);
  const isPreviewed = ({ type: { uid }, request, response }: RestRequest, id?: number): boolean =>
    isPreviewOf({ uid, id }, queryOf(request), response, readPreview);
  return {
    find: async (action) => {
      const query = parseList(action.type, queryStringOf(action.request));
      return answer(action, { ...forRead(action, restPresenter), action: 'find', query }, listed);
    },
    findOne: async (action) => {
      const { query } = readableQuery(action, 'findOne', parseEntry(action.type, queryStringOf(action.request)));
      if (alternativesOf(query) !== undefined && answererOf(action.type, 'findOne') !== 'core')
        refuseAlternatives(query, CODE_DECIDES);
      const id = requireId(action.id);
      const previewed = isPreviewed(action, id);
      return answer(action, { ...forRead(action, restPresenter), action: 'findOne', query, id, previewed }, single);
    },
    findByKey: async (action) => {
      const { type, request } = action;
      const parsed = parseKeyedQuery(request.params as unknown as Key, queryStringOf(request), type, limits);
      const { query } = readableQuery(action, 'findByKey', parsed);
      return answer(action, { ...forRead(action, restPresenter), action: 'findByKey', query }, single);
    },
    findSingle: async (action) => {
      const { type, request } = action;
      const query = parseSingleQuery(queryOf(request), type, limits);
      const read = forRead(action, restPresenter);
      if (!selectsAll(query)) {
        const previewed = isPreviewed(action);
        return answer(action, { ...read, action: 'findSingle', query, previewed }, single);
      }
      const pagination = { form: 'offset', start: 0, limit: limits.maxLimit, withCount: false } as const;
      const all = { ...query, pagination };
      return answer(action, { ...read, action: 'find', query: all }, entriesSerializer(responseLimit));
    },
    count: async (action) => {
      const { type, request } = action;
      const parsed = parseQuery(queryOf(request), type, 'client', limits);
      const { filter, publicationState, parameters, modified } = parsed;
      const pagination = { form: 'offset', start: 0, limit: 1, withCount: true } as const;
      const own = { filter, publicationState, parameters, pagination, ...(modified && { modified }) };
      const query = { ...emptyQuery(type), ...own };
      return answer(action, { ...forRead(action, plainEntry), action: 'find', query }, countSerializer);
    },
    aggregate: async (action) => {
      const query = parseGroups(action.type, queryStringOf(action.request));
      return answer(action, { ...forRead(action, restPresenter), action: 'find', query }, listed);
    },
  } satisfies Readonly<Record<string, RestAction>>;
}

/** Why an answer can only have the entry that the address names. */
export const CODE_DECIDES = 'code of the project decides about the entry that the address names';

/**
 * Whether an explanation is requested: in development by local clients with the header `X-Explain: 1`, and
 * always by a full-access token with this header or the parameter `explain=true`.
 */
function isExplained(request: Request, caller: Caller, development: boolean): boolean {
  const byHeader = development && request.headers['x-explain'] === '1';
  if (byHeader && isLocalRequest(request)) return true;
  if (caller.isUnlimited !== true || !(byHeader || request.originalUrl.includes('explain=true'))) return false;
  return byHeader || queryOf(request)['explain'] === 'true';
}

const withExplanation = ({ present }: ResponseSerializer, limit: number): ResponseSerializer => ({
  present: (result) => {
    const body = JSON.parse(textOf(present(result))) as object;
    return serializeJson({ ...body, explain: result.explanation }, limit);
  },
});

/** Parses the query strings of lists. */
export const createListParser = (limits: QueryLimits): Parse<Query> =>
  rememberParsed((input, type) => parseQuery(input, type, 'client', limits));

/** The query string of a request for one entry. */
export interface ParsedEntryQuery {
  readonly input: QueryInput;
  /** Selects the fields of the entry, without its id. */
  readonly query: Query;
  /** The filter and the sort of an entry of a collection, which have no effect. */
  readonly unused: Unused;
}

/** A query for one entry, whose filter and sort the caller could use in a list. @throws AppError invalidParameter */
export function readableQuery(
  { type, caller }: Pick<RestRequest, 'type' | 'caller'>,
  action: Action,
  parsed: ParsedEntryQuery,
): ParsedEntryQuery {
  assertReadable(parsed.unused, caller, withheldFrom(type, caller, action));
  return parsed;
}

/** Parses the query strings of requests for one entry. The query of a single type's write has neither filters nor a sort, as in Strapi v4. */
export const createEntryParser = (limits: QueryLimits): Parse<ParsedEntryQuery> =>
  rememberParsed((input, type) => parseEntryQuery(input, type, limits));

/** @throws AppError invalidParameter, tooCostly */
export function parseEntryQuery(input: QueryInput, type: ContentType, limits: QueryLimits): ParsedEntryQuery {
  const { filter, sort } = emptyQuery(type);
  const unused = type.kind === 'collectionType' ? parseUnused(input, type) : { filter, sort };
  const selection = parseSelection(input, type, 'client', limits);
  const parameters = parseValues(input, type);
  // As in Strapi v4 `live` has no effect on one entry, unless the parameters can lead to another one.
  const canReplace = alternativesOf({ type, parameters }) !== undefined;
  const state = canReplace || hasStatus(type) ? parseState(input, type) : undefined;
  const isIgnored = state === 'live' && !canReplace && parseStatus(input['status'], type) === undefined;
  const publicationState = isIgnored ? undefined : state;
  return { input, query: { ...emptyQuery(type), ...selection, parameters, publicationState }, unused };
}

/** The state of the entries that a request for one can show. @throws AppError invalidParameter */
function parseState(input: QueryInput, type: ContentType): PublicationState {
  const [state, status] = [parsePublicationState(input['publicationState']), parseStatus(input['status'], type)];
  if (status === 'published' && state === 'preview') throw new AppError('invalidParameter', 'status');
  return status === undefined ? state : stateOfStatus[status];
}

/** Parses a read of the entry that has this key. @throws AppError invalidParameter, see `parseKey`, tooCostly */
export const parseKeyQuery = (key: Key, input: QueryInput, type: ContentType, limits: QueryLimits): Query => ({
  ...emptyQuery(type),
  filter: parseKey(key, type),
  ...parseSelection(input, type, 'client', limits),
  publicationState: parseState(input, type),
  parameters: parseValues(input, type),
});

/** The parsed query string of a request for the entry with a key. @throws AppError invalidParameter, tooCostly */
export function parseKeyedQuery(
  key: Key,
  queryString: string,
  type: ContentType,
  limits: QueryLimits,
): ParsedEntryQuery {
  const input = parseQueryString(queryString);
  const unused = parseUnused(input, type);
  return { input, query: parseKeyQuery(key, input, type, limits), unused };
}
