import type { Page } from '../../../mongo/read/entry-reads.js';
import type { Pagination } from '../../../query/ast.js';

/** The `meta` of a list, with `pagination` in the form that the request uses. */
export function pageMeta(
  { total, next }: Pick<Page, 'total' | 'next'>,
  { form, page = 1, start, limit }: Pagination,
): object {
  const after = next !== undefined;
  const bounds = form === 'offset' ? { start, limit } : { page, pageSize: limit };
  const size = form === 'offset' ? { limit } : { pageSize: limit };
  const pages = form === 'page' && total !== undefined ? { pageCount: Math.ceil(total / limit) } : {};
  const counted = total === undefined ? {} : { ...pages, total };
  return { pagination: { ...(after ? size : bounds), ...counted, ...(after && { next }) } };
}
