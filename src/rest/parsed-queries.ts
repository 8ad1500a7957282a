import { LRUCache } from 'lru-cache';
import type { ContentType } from '../content-types/model/types.js';
import { emptyQuery } from '../documents/context.js';
import type { Action } from '../documents/interceptors.js';
import { assertReadable, withheldFrom } from '../documents/rights.js';
import type { Query } from '../query/ast.js';
import type { QueryInput } from '../query/parse/input.js';
import { parseKeyQuery, type Key } from '../query/parse/parse-key.js';
import { parseQuery, parseSelection, parseUnused, type QueryLimits } from '../query/parse/parse-query.js';
import type { ActionRequest } from './action.js';
import { entryParametersOf, parseQueryString } from './requests.js';

/** The number of queries, and the length of their strings: together a few megabytes. */
const KEPT = 500;
const MAX_LENGTH = 1000;

/** Parses the query string of a request on a content type. @throws AppError invalidParameter, tooCostly */
type Parse<T> = (type: ContentType, queryString: string) => T;

/** Remembers parsed queries, because front ends send the same requests again and again. Errors are not remembered. */
function remember<T extends object>(parse: (input: QueryInput, type: ContentType) => T): Parse<T> {
  const parsed = new LRUCache<string, T>({ max: KEPT });
  return (type, queryString) => {
    const key = `${type.uid} ${queryString}`;
    const remembered = parsed.get(key);
    if (remembered !== undefined) return remembered;
    const result = parse(parseQueryString(queryString), type);
    if (key.length <= MAX_LENGTH) parsed.set(key, result);
    return result;
  };
}

/** Parses the query strings of lists. */
export const createListParser = (limits: QueryLimits): Parse<Query> =>
  remember((input, type) => parseQuery(input, type, 'client', limits));

/** The query string of a request for one entry. */
export interface ParsedEntryQuery {
  readonly input: QueryInput;
  /** Selects the fields of the entry, without its id. */
  readonly query: Query;
  /** The filter and the sort of an entry of a collection, which have no effect. */
  readonly unused: Pick<Query, 'filter' | 'sort'>;
}

/** A query for one entry, whose filter and sort the caller could use in a list. @throws AppError invalidParameter */
export function readableQuery(
  { type, caller }: ActionRequest,
  action: Action,
  parsed: ParsedEntryQuery,
): ParsedEntryQuery {
  assertReadable(parsed.unused, caller, withheldFrom(type, caller, action));
  return parsed;
}

/** Parses the query strings of requests for one entry. The query of a single type's write has neither filters nor a sort, as in Strapi v4. */
export const createEntryParser = (limits: QueryLimits): Parse<ParsedEntryQuery> =>
  remember((input, type) => {
    const { filter, sort } = emptyQuery(type);
    const unused = type.kind === 'collectionType' ? parseUnused(input, type, 'client') : { filter, sort };
    const selection = parseSelection(input, type, 'client', limits);
    const query = { ...emptyQuery(type), ...selection, ...entryParametersOf(input, type) };
    return { input, query, unused };
  });

/** Parses the query strings of requests for the entry with a key. */
export const createKeyParser =
  (limits: QueryLimits) =>
  (type: ContentType, queryString: string, key: Key): ParsedEntryQuery => {
    const input = parseQueryString(queryString);
    const unused = parseUnused(input, type, 'client');
    return { input, query: parseKeyQuery(key, input, type, 'client', limits), unused };
  };
