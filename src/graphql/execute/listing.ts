import type { Attribute } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import { assertReadable, canReadRelation } from '../../documents/rights.js';
import { AppError } from '../../errors/app-error.js';
import type { Filter, Pagination, PublicationState, SortKey } from '../../query/ast.js';
import { isObject } from '../../query/parse/input.js';
import { parseFilters } from '../../query/parse/parse-filters.js';
import { parsePagination, type PageLimits } from '../../query/parse/parse-pagination.js';
import { parsePublicationState } from '../../query/parse/parse-populate.js';
import { parseSort } from '../../query/parse/parse-sort.js';
import { filterInput, relationsIn } from './filter-input.js';

/** The arguments of a field, which the schema has checked. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Which entries, and in which order. */
export interface Listing {
  readonly filter: Filter | undefined;
  readonly sort: readonly SortKey[];
  readonly pagination: Pagination;
}

/** How many entries a list has when nothing is said, and at most; what may be seen beside the caller's rights. */
export interface ListLimits extends Pick<PageLimits, 'defaultLimit' | 'maxLimit'> {
  /** What components lead to, without a right to it. */
  readonly openComponentRelations?: boolean;
}

/**
 * Parses `filters`, `sort` and `pagination` of a field that gives a list, as the REST API's parameters of these names.
 * @throws AppError invalidParameter, invalidValue, mixedPaging, tooCostly
 */
export function parseListing(
  args: Arguments,
  attributes: ReadonlyMap<string, Attribute>,
  caller: Caller,
  limits: ListLimits,
): Listing {
  // In the order of Strapi v4: pages, filters, sort. Of several faults the first is named.
  const pages = pageInput(args['pagination']);
  // As recorded: a relation that only is named is asked for, too.
  for (const attribute of relationsIn(args['filters'], attributes)) {
    if (!canReadRelation(attribute, caller)) throw new AppError('invalidParameter', attribute.name);
  }
  const filter = parseFilters(filterInput(args['filters'], attributes), attributes, 'client');
  const sort = parseSort(args['sort'] ?? [], attributes, 'client');
  const listing = {
    filter,
    sort,
    pagination: parsePagination({ pagination: pages }, { ...limits, withCount: false }, sort),
  };
  assertReadable(listing, caller);
  return listing;
}

/**
 * As recorded: a page that does not say its size has one entry, and pages are counted in the size that was asked for,
 * even when they get smaller. As Strapi v4: a limit that is null beside a start is the smallest there is.
 */
function pageInput(input: unknown): Arguments {
  const { page, pageSize, start, limit } = isObject(input) ? input : {};
  const byPage = isSaid(page) || isSaid(pageSize);
  const byOffset = isSaid(start) || isSaid(limit);
  if (byPage && byOffset) throw new AppError('mixedPaging');
  if (!byPage) return byOffset ? { start: start ?? 0, limit: limit === null ? 1 : limit } : {};
  const size = Math.max(1, Number(pageSize ?? 0));
  return { start: Math.min((Number(page ?? 1) - 1) * size, Number.MAX_SAFE_INTEGER), limit: size };
}

const isSaid = (value: unknown): boolean => value !== undefined && value !== null;

/** What the argument `publicationState` says; undefined where there is none. */
export function publicationStateOf({ publicationState }: Arguments): PublicationState {
  return parsePublicationState(String(publicationState ?? '').toLowerCase());
}
