import { isRecord } from '../../config/record.js';
import type { JsonSchema } from '../../content-types/model/attribute-types.js';
import { AppError } from '../../errors/app-error.js';
import { NO_LIMIT, type Pagination, type SortKey } from '../ast.js';
import { parseCursor } from './cursor.js';
import { entriesOf, textOf, type QueryInput } from './input.js';

/** Default and maximum page size: Strapi's `rest.defaultLimit` and `rest.maxLimit`. */
export interface PageLimits {
  readonly defaultLimit: number;
  readonly maxLimit: number;
  readonly withCount: boolean;
}

/**
 * Parses `pagination` as Strapi v4 does (corpus: 14-sort-fields-pagination/12-pagination): by page (`page`, `pageSize`)
 * or by offset (`start`, `limit`, -1 for all that is allowed), `withCount`. Numbers out of range become the nearest
 * allowed one; what is left must be an integer. Anything that is not an object is ignored. `after`, which v4 does not
 * have, continues after an entry of the list, and depends on its sort.
 * @throws AppError paginationModesMixed, rootPaginationParameters, invalidPage, invalidPageNumber, invalidCount,
 * invalidCursor
 */
export function parsePagination(input: QueryInput, limits: PageLimits, sort: readonly SortKey[]): Pagination {
  const { page, pageSize, start, limit, withCount, after } = isRecord(input['pagination']) ? input['pagination'] : {};
  const byPage = page !== undefined || pageSize !== undefined;
  const byOffset = start !== undefined || limit !== undefined;
  if (byPage && byOffset) throw new AppError('paginationModesMixed');
  refuseOutside(input, byOffset);
  const counted = withCount === undefined ? limits.withCount : parseFlag(withCount);
  if (after !== undefined && (page ?? start) !== undefined) {
    throw new AppError('invalidCursor', 'it cannot be combined with page or start');
  }
  const cursor = after === undefined ? {} : { after: parseCursor(after, sort) };
  if (byOffset) {
    const name = 'pagination.limit';
    const size = parseNumber(limit, limits.defaultLimit, name);
    return {
      form: 'offset',
      start: integer(Math.max(0, parseNumber(start, 0, 'pagination.start')), 'pagination.start'),
      limit: size === -1 ? limits.maxLimit : integer(clamp(size, limits.maxLimit), name),
      withCount: counted,
      ...cursor,
    };
  }
  const sizeName = 'pagination.pageSize';
  const size = integer(clamp(parseNumber(pageSize, limits.defaultLimit, sizeName), limits.maxLimit), sizeName);
  const number = Math.max(1, parseNumber(page, 1, 'pagination.page'));
  if (!Number.isInteger(number)) throw new AppError('invalidPageNumber', 'page');
  return {
    form: 'page',
    page: number,
    start: Math.min((number - 1) * size, Number.MAX_VALUE),
    limit: size,
    withCount: counted,
    ...cursor,
  };
}

/** What OpenAPI says about `pagination`. */
export function describePagination({ defaultLimit, maxLimit, withCount }: PageLimits): JsonSchema {
  const bounds = maxLimit === NO_LIMIT ? {} : { maximum: maxLimit };
  const size = { type: 'integer', minimum: 1, ...bounds, default: defaultLimit };
  return {
    style: 'deepObject',
    explode: true,
    description:
      'By `page` and `pageSize`, by `start` and `limit`, or `after` an entry: `meta.pagination.next` of the page before, empty at first',
    example: { page: 1, pageSize: defaultLimit },
    schema: {
      type: 'object',
      properties: {
        page: { type: 'integer', minimum: 1 },
        pageSize: size,
        start: { type: 'integer', minimum: 0 },
        limit: { ...size, minimum: -1 },
        withCount: { type: 'boolean', default: withCount },
        after: { type: 'string' },
      },
    },
  };
}

/**
 * Parses the slice of a list without pages, as in Strapi v4's lists of files and users (corpus: 70-upload/01-files,
 * 60-users-permissions/01-users-read): `start` and `limit` are top-level
 * parameters; 0 and -1 mean no limit. `page` and `pageSize` are checked, but have no effect.
 * @throws AppError rootPaginationParameters, invalidPage, invalidPageNumber
 */
export function parseSlice(input: QueryInput, maxEntries: number): Pagination {
  const { page, pageSize, start, limit } = input;
  const [byPage, byOffset] = [page ?? pageSize, start ?? limit].map((value) => value !== undefined && value !== null);
  if (byPage === true && byOffset === true) throw new AppError('rootPaginationParameters');
  for (const [name, value = null] of Object.entries({ page, pageSize })) {
    const isNumber = value === null || (Number.isInteger(toNumber(value)) && toNumber(value) > 0);
    if (!isNumber) throw new AppError('invalidPageNumber', name);
  }
  const first = integer(toNumber(start ?? 0), 'start');
  const requestedLimit = integer(toNumber(limit ?? -1), 'limit');
  if (first < 0 || requestedLimit < -1) throw new AppError('invalidPage', first < 0 ? 'start' : 'limit');
  return {
    form: 'offset',
    start: first,
    limit: requestedLimit > 0 ? Math.min(maxEntries, requestedLimit) : maxEntries,
    withCount: false,
  };
}

/**
 * Strapi v4 adds its own numbers to `pagination`, which conflict with those of the request or replace them.
 * @throws AppError rootPaginationParameters
 */
function refuseOutside(input: QueryInput, byOffset: boolean): void {
  const clashing = byOffset ? ['page', 'pageSize'] : [...pages];
  if (clashing.some((key) => input[key] !== undefined && input[key] !== null))
    throw new AppError('rootPaginationParameters');
}

/** Pagination parameters outside `pagination`. */
export const pages: ReadonlySet<string> = new Set(['page', 'pageSize', 'start', 'limit']);

/** The parameters inside `pagination`. */
export const paginationParameters: readonly string[] = [...pages, 'withCount', 'after'];

/** A query without pages: its pagination parameters are removed. */
export const withoutPages = (input: QueryInput): QueryInput =>
  Object.fromEntries(entriesOf(input).filter(([name]) => name !== 'pagination' && !pages.has(name)));

const clamp = (value: number, highest: number): number => Math.min(highest, Math.max(1, value));

/**
 * An empty string and null are 0, and a list means its only value (corpus: 14-sort-fields-pagination/12-pagination).
 */
const toNumber = (input: unknown): number =>
  Number(input !== null && typeof input === 'object' ? textOf(input) : input);

function parseNumber(input: unknown, fallback: number, name: string): number {
  const number = input === undefined ? fallback : toNumber(input);
  if (Number.isNaN(number)) throw new AppError('invalidPage', name);
  return number;
}

function integer(number: number, name: string): number {
  if (!Number.isInteger(number)) throw new AppError('invalidPage', name);
  return number;
}

function parseFlag(input: unknown): boolean {
  const word = typeof input === 'object' ? input : String(input);
  if (word === 'true' || word === 't' || word === '1') return true;
  if (word === 'false' || word === 'f' || word === '0') return false;
  throw new AppError('invalidCount');
}
