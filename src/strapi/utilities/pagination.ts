import lodash from 'lodash';
import type { Named } from '../strapi.js';
import { errors } from './errors.js';

interface Range {
  readonly start: number;
  readonly limit: number;
}

interface PaginationOptions {
  readonly defaults?: { readonly offset?: Partial<Range>; readonly page?: { page?: number; pageSize?: number } };
  /** -1 for no maximum. */
  readonly maxLimit?: number;
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

const withinBounds = ({ start, limit }: Range, maxLimit: number): Range => {
  const atLeastOne = limit === -1 ? limit : Math.max(limit, 1);
  return {
    start: Math.max(start, 0),
    limit: maxLimit === -1 || atLeastOne < maxLimit ? atLeastOne : maxLimit,
  };
};

function rangeOf(
  { start, limit, page, pageSize }: Named,
  { offset, page: pages }: PaginationOptions['defaults'] = {},
): Range {
  if (isSet(page) || isSet(pageSize)) {
    const size = Math.max(1, Number(pageSize ?? 0));
    return { start: ((page ?? pages?.page ?? 1) - 1) * size, limit: size };
  }
  return { start: start ?? offset?.start ?? 0, limit: limit ?? offset?.limit ?? 10 };
}

/** `pagination.withDefaultPagination` of `@strapi/utils`: a page as `start` and `limit`. @throws PaginationError */
function withDefaultPagination(args: Named, { defaults, maxLimit = -1 }: PaginationOptions = {}): Named {
  const byPage = isSet(args['page']) || isSet(args['pageSize']);
  const byOffset = isSet(args['start']) || isSet(args['limit']);
  if (byPage && byOffset) {
    throw new errors.PaginationError('Cannot use both page & offset pagination in the same query');
  }
  const { start, limit } = rangeOf(args, defaults);
  const range = { start, limit: limit === -1 && (byPage || byOffset) ? maxLimit : limit };
  return { ...lodash.omit(args, ['start', 'limit', 'page', 'pageSize']), ...withinBounds(range, maxLimit) };
}

/** `pagination` of `@strapi/utils`. */
export const pagination = { withDefaultPagination };
