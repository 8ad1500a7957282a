import { AppError } from '../errors/app-error.js';
import type { Pagination, SortKey } from './ast.js';
import { parseCursor } from './cursor.js';
import { isObject, type QueryInput } from './input.js';

/** How much a client gets when it does not say, and at most. Strapi's `rest.defaultLimit` and so on. */
export interface PageLimits {
  readonly defaultLimit: number;
  readonly maxLimit: number;
  readonly withCount: boolean;
}

/**
 * Parses `pagination` as Strapi v4 does: by page (`page`, `pageSize`) or by offset (`start`, `limit`, -1 for all that
 * is allowed), `withCount`. Numbers out of range are moved into it, anything that is no object is ignored. In addition to
 * v4, `after` a place in the list, which depends on its sort.
 * @throws AppError mixedPages, mixedPagination, invalidCount, invalidCursor
 */
export function parsePagination(input: QueryInput, limits: PageLimits, sort: readonly SortKey[]): Pagination {
  // Beside `pagination` Strapi v4 sets its own defaults, which clash with these, whatever they say.
  if (['page', 'pageSize', 'start', 'limit'].some((key) => input[key] !== undefined)) {
    throw new AppError('mixedPagination');
  }
  const { page, pageSize, start, limit, withCount, after } = isObject(input['pagination']) ? input['pagination'] : {};
  const [byPage, byOffset] = [page ?? pageSize, start ?? limit].map((value) => value !== undefined);
  if (byPage === true && byOffset === true) throw new AppError('mixedPages');
  const counted = withCount === undefined ? limits.withCount : parseFlag(withCount);
  if (after !== undefined && (page ?? start) !== undefined) {
    throw new AppError('invalidCursor', 'it takes neither page nor start beside it');
  }
  const place = after === undefined ? {} : { after: parseCursor(after, sort) };
  if (byOffset === true) {
    const size = parseNumber(limit, limits.defaultLimit);
    return {
      form: 'offset',
      start: Math.max(0, parseNumber(start, 0)),
      limit: size === -1 ? limits.maxLimit : clamp(size, limits.maxLimit),
      withCount: counted,
      ...place,
    };
  }
  const size = clamp(parseNumber(pageSize, limits.defaultLimit), limits.maxLimit);
  const before = Math.max(1, parseNumber(page, 1)) - 1;
  const pageStart = Math.min(before * size, Number.MAX_SAFE_INTEGER);
  return { form: 'page', start: pageStart, limit: size, withCount: counted, ...place };
}

const clamp = (value: number, highest: number): number => Math.min(highest, Math.max(1, value));

/** As Strapi v4: an empty text is 0, a list stands for its only value; what is no number falls back. */
function parseNumber(input: unknown, fallback: number): number {
  if (input === undefined) return fallback;
  const number = Math.trunc(Number(Array.isArray(input) ? input.join(',') : input));
  return Number.isSafeInteger(number) ? number : fallback;
}

function parseFlag(input: unknown): boolean {
  const word = String(input);
  if (['true', 't', '1'].includes(word)) return true;
  if (['false', 'f', '0'].includes(word)) return false;
  throw new AppError('invalidCount');
}
