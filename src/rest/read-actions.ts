import lodash from 'lodash';
import { parseEntryQuery, parseKeyQuery, type ParsedEntryQuery } from '../calls/entry-query.js';
import { readCalls, type AskedRead, type ReadCall } from '../calls/read-call.js';
import type { ContentType } from '../content-types/model/types.js';
import type { ResponseSerializer } from '../documents/response/respond.js';
import { forRead } from '../documents/request-context.js';
import { plainEntry } from '../query/entry-presenter.js';
import { parseAggregate } from '../query/parse/parse-aggregate.js';
import type { Query } from '../query/ast.js';
import type { QueryInput } from '../query/parse/input.js';
import type { Key } from '../query/parse/parse-key.js';
import { parseQuery, parseSingleQuery, parseUnused, type QueryLimits } from '../query/parse/parse-query.js';
import type { ContentQuery, ContentRead, ContentRequest } from '../plugins/contract/content-api.js';
import type { RestContext } from './action.js';
import { isPreviewOf } from './preview.js';
import { queryOf } from '../calls/query-string.js';
import { rememberParsed, type Parse } from './remember-parsed.js';
import { countSerializer, entriesSerializer, entrySerializer, listSerializer } from './response/envelopes.js';
import { restPresenter } from './response/rest-presenter.js';

/** Strapi v4's reads, the read of an entry by a key, the count of a list, and its groups. */
export function createReadActions(context: RestContext) {
  const { limits, responseLimit, readPreview, answererOf } = context;
  const parseList = createListParser(limits);
  const parseEntry = createEntryParser(limits);
  const parseGroups = rememberParsed((input, type) => parseAggregate(input, type, 'client', limits));
  const serializers: Readonly<Record<ReadCall['answer'], ResponseSerializer>> = {
    list: listSerializer(responseLimit),
    entry: entrySerializer(responseLimit),
    entries: entriesSerializer(responseLimit),
    count: countSerializer,
  };
  const queryOfCall = (action: ContentRequest, { read, answer }: ReadCall): ContentQuery => {
    const presenter = answer === 'count' ? plainEntry : restPresenter;
    return { read: { ...forRead(action, presenter), ...read }, serializer: serializers[answer] };
  };
  const parseKeyed = (type: ContentType, request: ContentRequest['request']): ParsedEntryQuery =>
    parseKeyedQuery(request.params as unknown as Key, queryOf(request), type, limits);
  const askedBy = (
    { type, caller, id, request, response }: ContentRequest,
    parseOne: typeof parseKeyed,
  ): AskedRead => ({
    type,
    caller,
    id,
    list: () => parseList(type, request),
    entry: () => parseOne(type, request),
    single: () => parseSingleQuery(queryOf(request), type, limits),
    isPreviewed: (shown) => isPreviewOf({ uid: type.uid, id: shown }, queryOf(request), response, readPreview),
    isByCode: () => answererOf(type, 'findOne') !== 'core',
    maxLimit: limits.maxLimit,
  });
  return {
    ...lodash.mapValues(
      readCalls,
      (callOf, name): ContentRead =>
        async (action) =>
          queryOfCall(action, callOf(askedBy(action, name === 'findByKey' ? parseKeyed : parseEntry))),
    ),
    aggregate: async (action) => {
      const query = parseGroups(action.type, action.request);
      return queryOfCall(action, { read: { action: 'find', query }, answer: 'list' });
    },
  } satisfies Readonly<Record<string, ContentRead>>;
}

/** Parses the query strings of lists. */
export const createListParser = (limits: QueryLimits): Parse<Query> =>
  rememberParsed((input, type) => parseQuery(input, type, 'client', limits));

/**
 * Parses the query strings of requests for one entry. The query of a single type's write has neither filters nor a
 * sort, as in Strapi v4.
 */
export const createEntryParser = (limits: QueryLimits): Parse<ParsedEntryQuery> =>
  rememberParsed((input, type) => parseEntryQuery(input, type, limits));

/** What a request asks for the entry with a key. @throws AppError invalidParameter, tooCostly */
export function parseKeyedQuery(key: Key, input: QueryInput, type: ContentType, limits: QueryLimits): ParsedEntryQuery {
  const unused = parseUnused(input, type);
  return { input, query: parseKeyQuery(key, input, type, limits), unused };
}
