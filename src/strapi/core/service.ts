import { pageMeta } from '../../documents/read-operation.js';
import { NO_LIMIT } from '../../query/ast.js';
import { parsePagination, type PageLimits } from '../../query/parse/parse-pagination.js';
import { errors } from '../utilities/errors.js';
import type { Anything, Model, Named, Strapi, StrapiConfig } from '../strapi.js';

type Params = Named | undefined;

/** A property of core services and controllers with their original methods. */
export const CORE = Symbol('core');

/** The parameters of a read, of published entries unless they say otherwise. */
export const withPublication = (params: Params): Named => ({ publicationState: 'live', ...params });

/** The model of a content type, which project code can replace. @throws Error for an unknown content type */
export function modelOf(strapi: Strapi, uid: string): Model {
  const model = strapi.contentType(uid);
  if (model === undefined) throw new Error(`unknown content type "${uid}"`);
  return model;
}

/** Entries of types with drafts are published by default. */
function publish({ options }: Model, data: Named): void {
  if (options['draftAndPublish'] === true)
    data['publishedAt'] = data['publishedAt'] === undefined ? new Date() : data['publishedAt'];
}

/** The methods of the service of a collection type, over `strapi.entityService`. */
function collectionService(strapi: Strapi, uid: string): Named {
  return {
    getFetchParams: withPublication,
    async find(this: Named, params: Params = {}) {
      const query = this['getFetchParams'](params);
      const pagination = parsePagination({ pagination: query.pagination as unknown }, pageLimits(strapi.config), []);
      const { start, limit, withCount } = pagination;
      const results: unknown = await strapi.entityService.findMany(uid, { ...query, start, limit });
      const page = pageMeta({ total: undefined }, pagination);
      if (!withCount) return { results, ...page };
      const total: number = await strapi.entityService.count(uid, { ...query, ...page.pagination });
      return { results, ...pageMeta({ total }, pagination) };
    },
    findOne(this: Named, id: unknown, params: Params = {}) {
      return strapi.entityService.findOne(uid, id, this['getFetchParams'](params));
    },
    create(params: Named = { data: {} }) {
      publish(modelOf(strapi, uid), params['data']);
      return strapi.entityService.create(uid, params);
    },
    update: (id: unknown, params: Named = { data: {} }): unknown => strapi.entityService.update(uid, id, params),
    delete: (id: unknown, params: Params = {}): unknown => strapi.entityService.delete(uid, id, params),
  };
}

/** The methods of the service of a single type. */
function singleService(strapi: Strapi, uid: string): Named {
  return {
    getFetchParams: withPublication,
    async find(this: Named, params: Params = {}) {
      return (await strapi.entityService.findMany(uid, this['getFetchParams'](params))) ?? null;
    },
    async createOrUpdate(this: Named, { data, ...params }: Named = { data: {} }) {
      const entry = await this['find']({ ...params, publicationState: 'preview' });
      if (entry) return strapi.entityService.update(uid, entry.id, { ...params, data });
      if ((await strapi.query(uid).count()) > 0) throw new errors.ValidationError('singleType.alreadyExists');
      publish(modelOf(strapi, uid), data);
      return strapi.entityService.create(uid, { ...params, data });
    },
    async delete(this: Named, params: Params = {}) {
      const entry = await this['find'](params);
      return entry ? strapi.entityService.delete(uid, entry.id) : undefined;
    },
  };
}

/** The service of a content type, as in Strapi v4. @throws Error for an unknown content type */
export function createService(strapi: Strapi, uid: string): Named {
  const make = modelOf(strapi, uid).kind === 'singleType' ? singleService : collectionService;
  const service = make(strapi, uid);
  return Object.assign(service, { [CORE]: { ...service } });
}

/** The service method of each action. */
export const methodOf = (kind: Model['kind'], action: string): string =>
  kind === 'singleType' && action === 'update' ? 'createOrUpdate' : action;

const hasMethod = (part: unknown, method: string): part is Named<(...given: unknown[]) => unknown> =>
  typeof (part as Named | undefined)?.[method] === 'function';

/** Calls a method of the service of a content type. */
export type CallService = (method: string, ...given: unknown[]) => Promise<Anything>;

/**
 * The service of a content type for its core controller: methods that code has none of are the core's. Strapi 4.26 and
 * 5.54 answer 500 there.
 */
export const serviceCallsOf =
  (strapi: Strapi, uid: string, createCore: (strapi: Strapi, uid: string) => Named): CallService =>
  async (method, ...given) => {
    const own: unknown = strapi.service(uid);
    const service = hasMethod(own, method) ? own : (createCore(strapi, uid) as Named<(...given: unknown[]) => unknown>);
    return service[method]?.(...given);
  };

/** Whether this method is not overridden. */
export const isCoreMethod = (part: unknown, method: string): boolean => {
  if (!hasMethod(part, method)) return true;
  const core = (part as { readonly [CORE]?: Named })[CORE];
  return core !== undefined && part[method] === core[method];
};

/** The sizes of lists, for clients and for code. Without `maxLimit` all entries are allowed, as in Strapi v4. */
export const pageLimits = (config: StrapiConfig): PageLimits => ({
  defaultLimit: Number(config.get('api.rest.defaultLimit')) || DEFAULT_LIMIT,
  maxLimit: Number(config.get('api.rest.maxLimit')) || NO_LIMIT,
  withCount: Boolean(config.get('api.rest.withCount', true)),
});

const DEFAULT_LIMIT = 25;
