import { errors } from '../utilities/errors.js';
import { booleans } from '../utilities/parse-type.js';
import type { Model, Named, Strapi, StrapiConfig } from '../strapi.js';

type Params = Named | undefined;

/** A property of core services and controllers with their original methods. */
export const CORE = Symbol('core');

const withPublication = (params: Params): Named => ({ publicationState: 'live', ...params });

/** Entries of types with drafts are published by default. */
function publish(model: Model, data: Named): void {
  if (model.options['draftAndPublish'] === true)
    data['publishedAt'] = data['publishedAt'] === undefined ? new Date() : data['publishedAt'];
}

/** The methods of the service of a collection type, over `strapi.entityService`. */
function collectionService(strapi: Strapi, model: () => Model): Named {
  const { uid } = model();
  const entries = (): Named => strapi.entityService;
  return {
    getFetchParams: withPublication,
    async find(this: Named, params: Params = {}) {
      const query = this['getFetchParams'](params);
      const page = pageOf(query.pagination, strapi.config);
      const results: unknown = await entries()['findMany'](uid, { ...query, ...rangeOf(page) });
      if (!isCounted(query.pagination, strapi.config)) return { results, pagination: page };
      const total: number = await entries()['count'](uid, { ...query, ...page });
      return { results, pagination: describePage(page, total) };
    },
    findOne(this: Named, id: unknown, params: Params = {}) {
      return entries()['findOne'](uid, id, this['getFetchParams'](params));
    },
    create(params: Named = { data: {} }) {
      publish(model(), params['data']);
      return entries()['create'](uid, params);
    },
    update: (id: unknown, params: Named = { data: {} }): unknown => entries()['update'](uid, id, params),
    delete: (id: unknown, params: Params = {}): unknown => entries()['delete'](uid, id, params),
  };
}

/** The methods of the service of a single type. */
function singleService(strapi: Strapi, model: () => Model): Named {
  const { uid } = model();
  const entries = (): Named => strapi.entityService;
  return {
    getFetchParams: withPublication,
    async find(this: Named, params: Params = {}) {
      return (await entries()['findMany'](uid, this['getFetchParams'](params))) ?? null;
    },
    async createOrUpdate(this: Named, { data, ...params }: Named = { data: {} }) {
      const entry = await this['find']({ ...params, publicationState: 'preview' });
      if (entry) return entries()['update'](uid, entry.id, { ...params, data });
      if ((await strapi.query(uid).count()) > 0) throw new errors.ValidationError('singleType.alreadyExists');
      publish(model(), data);
      return entries()['create'](uid, { ...params, data });
    },
    async delete(this: Named, params: Params = {}) {
      const entry = await this['find'](params);
      return entry ? entries()['delete'](uid, entry.id) : undefined;
    },
  };
}

/** The service of a content type, as in Strapi v4. */
export function createService(strapi: Strapi, model: () => Model): Named {
  const make = model().kind === 'singleType' ? singleService : collectionService;
  const service = make(strapi, model);
  return Object.assign(service, { [CORE]: { ...service } });
}

/** The service method of each action. */
export const methodOf = (kind: Model['kind'], action: string): string =>
  kind === 'singleType' && action === 'update' ? 'createOrUpdate' : action;

/** Whether this method is not overridden. */
export const isCoreMethod = (service: unknown, method: string): boolean => {
  const core = (service as { readonly [CORE]?: Named } | undefined)?.[CORE];
  return core !== undefined && (service as Named)[method] === core[method];
};

/** Page or offset pagination, in the form of the response. */
type PageInfo =
  { readonly page: number; readonly pageSize: number } | { readonly start: number; readonly limit: number };

const has = (pagination: Named | undefined, ...names: readonly string[]): boolean =>
  names.some((name) => pagination !== undefined && Object.hasOwn(pagination, name));

/** The pagination of parameters, within the limits of the REST API. @throws ValidationError for both forms together */
function pageOf(pagination: Named | undefined, config: StrapiConfig): PageInfo {
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

/** Whether to count the total. @throws ValidationError for a value that is not boolean */
function isCounted(pagination: Named | undefined, config: StrapiConfig): boolean {
  if (!has(pagination, 'withCount')) return Boolean(config.get('api.rest.withCount', true));
  const withCount: unknown = pagination?.['withCount'];
  const counted = withCount === undefined ? false : booleans.get(withCount);
  if (counted !== undefined) return counted;
  throw new errors.ValidationError('Invalid withCount parameter. Expected "t","1","true","false","0","f"');
}

const rangeOf = (info: PageInfo): { readonly start: number; readonly limit: number } =>
  'page' in info ? { start: (info.page - 1) * info.pageSize, limit: info.pageSize } : info;

/** The pagination in the response. */
const describePage = (info: PageInfo, total: number): Named =>
  'page' in info ? { ...info, pageCount: Math.ceil(total / info.pageSize), total } : { ...info, total };
