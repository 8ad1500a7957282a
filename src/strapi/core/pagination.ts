import { errors } from '../utilities/errors.js';
import type { Named, StrapiConfig } from '../strapi.js';

/** Page or offset pagination, in the form of the response. */
export type PageInfo =
  { readonly page: number; readonly pageSize: number } | { readonly start: number; readonly limit: number };

const has = (pagination: Named | undefined, ...names: readonly string[]): boolean =>
  names.some((name) => pagination !== undefined && Object.hasOwn(pagination, name));

/** The pagination of parameters, within the limits of the REST API. @throws ValidationError for both forms together */
export function pageOf(pagination: Named | undefined, config: StrapiConfig): PageInfo {
  const defaultLimit = Number(config.get('api.rest.defaultLimit', 25));
  const maxLimit = Number(config.get('api.rest.maxLimit')) || undefined;
  const exceeds = (limit: number): boolean => maxLimit !== undefined && limit > maxLimit;
  const [paged, offset] = [has(pagination, 'page', 'pageSize'), has(pagination, 'start', 'limit')];
  if (paged && offset) {
    throw new errors.ValidationError('Invalid pagination parameters. Expected either start/limit or page/pageSize');
  }
  if (offset) {
    const limit = pagination?.['limit'] === undefined ? defaultLimit : Number(pagination['limit']);
    const bounded = limit === -1 || exceeds(limit) ? (maxLimit ?? -1) : Math.max(1, limit);
    return { start: Math.max(0, Number(pagination?.['start'] || 0)), limit: bounded };
  }
  const size = pagination?.['pageSize'] === undefined ? defaultLimit : Math.max(1, Number(pagination['pageSize']));
  return {
    page: paged ? Math.max(1, Number(pagination?.['page'] || 1)) : 1,
    pageSize: paged && exceeds(size) ? (maxLimit ?? size) : Math.max(1, size),
  };
}

const words = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  ['t', true],
  ['1', true],
  [1, true],
  [false, false],
  [undefined, false],
  ['false', false],
  ['f', false],
  ['0', false],
  [0, false],
]);

/** Whether to count the total. @throws ValidationError for a value that is not boolean */
export function isCounted(pagination: Named | undefined, config: StrapiConfig): boolean {
  if (!has(pagination, 'withCount')) return Boolean(config.get('api.rest.withCount', true));
  const counted = words.get(pagination?.['withCount']);
  if (counted !== undefined) return counted;
  throw new errors.ValidationError('Invalid withCount parameter. Expected "t","1","true","false","0","f"');
}

/** The start and limit of a page. */
export const rangeOf = (info: PageInfo): { readonly start: number; readonly limit: number } =>
  'page' in info ? { start: (info.page - 1) * info.pageSize, limit: info.pageSize } : info;

/** The pagination in the response. */
export const describePage = (info: PageInfo, total: number): Named =>
  'page' in info ? { ...info, pageCount: Math.ceil(total / info.pageSize), total } : { ...info, total };
