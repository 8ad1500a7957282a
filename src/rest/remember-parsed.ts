import type { ContentType } from '../content-types/model/types.js';
import { heldWithPlan } from '../query/held-bytes.js';
import type { QueryInput } from '../query/parse/input.js';
import { createSizedCache } from '../query/sized-cache.js';
import { queryOf, queryStringOf, type Asked } from '../calls/query-string.js';

/** Bytes of all queries of one kind that are remembered, with what is made of them later. */
const CACHE_BYTES = 16 * 2 ** 20;

/**
 * Parses the query string of a request on a content type.
 * @param name what else of the request the query depends on, such as the name of an entry in its path
 * @throws AppError invalidParameter, tooCostly
 */
export type Parse<T> = (type: ContentType, request: Asked, name?: string) => T;

/** Remembers parsed queries, because front ends send the same requests again and again. Errors are not remembered. */
export function rememberParsed<T extends object>(
  parse: (input: QueryInput, type: ContentType, name: string) => T,
): Parse<T> {
  const parsed = createSizedCache<T>({ bytes: CACHE_BYTES, sizeOf: (result) => heldWithPlan(result) });
  return (type, request, name = '') => {
    // A name of an entry is decoded and can have blanks: it is the last part, and no query string has one.
    const key = `${type.uid} ${queryStringOf(request)} ${name}`;
    const remembered = parsed.get(key);
    if (remembered !== undefined) return remembered;
    const result = parse(queryOf(request), type, name);
    parsed.set(key, result);
    return result;
  };
}
