import { pageMeta } from '../../documents/read-operation.js';
import type { Pagination } from '../../query/ast.js';
import { parsePagination } from '../../query/parse/parse-pagination.js';
import { pageLimits, withPublication } from '../core/service.js';
import { transformResponse, transforming } from '../core/transform.js';
import type { Anything, Named, StrapiContext } from '../strapi.js';

/** The files within `@strapi/strapi` that code loads, by their names. */
export const createCoreModules = ({ strapi, utils }: StrapiContext): Named => ({
  'core-api/controller/transform': {
    transformResponse: (resource: unknown, meta: unknown, { contentType }: Named = {}) =>
      transformResponse(resource, meta, contentType, transforming(strapi)),
    parseBody: (ctx: Anything) =>
      ctx.is('multipart') ? utils['parseMultipartData'](ctx) : { data: ctx.request.body?.data as unknown },
  },
  'core-api/service/pagination': paginationModule(strapi),
  'core-api/service/get-fetch-params': { getFetchParams: withPublication },
  // Nothing of the enterprise edition is there.
  'utils/ee': { isEE: false, features: { isEnabled: () => false, list: () => [], get: () => undefined } },
});

type Slice = Readonly<Record<'start' | 'limit', number>>;
type PagedSlice = Readonly<Record<'page' | 'pageSize', number>>;

/** The pages of lists, for services of code that count and read themselves. */
function paginationModule({ config }: StrapiContext['strapi']) {
  const paginationOf = ({ pagination }: Named = {}): Pagination =>
    parsePagination({ pagination: pagination as unknown }, pageLimits(config), []);
  return {
    /** @throws AppError paginationModesMixed, invalidPage, invalidPageNumber, invalidCount */
    getPaginationInfo: (params?: Named) => pageMeta({ total: undefined }, paginationOf(params)).pagination,
    /** @throws AppError invalidCount */
    shouldCount: (params?: Named): boolean => paginationOf(params).withCount,
    isPagedPagination: (pagination: object = {}): boolean => 'page' in pagination || 'pageSize' in pagination,
    convertPagedToStartLimit: (info: Slice | PagedSlice): Slice =>
      'page' in info ? { start: (info.page - 1) * info.pageSize, limit: info.pageSize } : info,
    transformPaginationResponse: (info: Slice | PagedSlice, total: number): object =>
      'page' in info ? { ...info, pageCount: Math.ceil(total / info.pageSize), total } : { ...info, total },
  };
}
