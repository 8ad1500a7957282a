import { LRUCache } from 'lru-cache';
import type { ContentType } from '../content-types/model/types.js';
import type { Query } from '../query/ast.js';
import { parseQuery, type QueryLimits } from '../query/parse/parse-query.js';
import { parseQueryString } from './query-string.js';

/** The number of queries, and the length of their strings: together a few megabytes. */
const KEPT = 500;
const MAX_LENGTH = 1000;

/** Parses the query string of a list. @throws AppError invalidParameter, tooCostly */
export type ParseListQuery = (type: ContentType, queryString: string) => Query;

/** Remembers parsed queries, because front ends request the same lists again and again. Errors are not remembered. */
export function createListParser(limits: QueryLimits): ParseListQuery {
  const parsed = new LRUCache<string, Query>({ max: KEPT });
  return (type, queryString) => {
    const key = `${type.uid}?${queryString}`;
    const remembered = parsed.get(key);
    if (remembered !== undefined) return remembered;
    const query = parseQuery(parseQueryString(queryString), type, 'client', limits);
    if (queryString.length <= MAX_LENGTH) parsed.set(key, query);
    return query;
  };
}
