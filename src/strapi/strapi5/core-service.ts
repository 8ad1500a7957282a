import { pageMeta } from '../../documents/read-operation.js';
import { CORE, modelOf } from '../core/service.js';
import type { Anything, Named, Strapi } from '../strapi.js';
import { errors } from '../utilities/errors.js';
import { documentIdOfSingle, type Repository, type StrapiDocuments } from './documents.js';

type Params = Named | undefined;

const documentsOf = (strapi: Strapi, uid: string): Repository => (strapi['documents'] as StrapiDocuments)(uid);

const withStatus = (params: Params): Named => ({ status: 'published', ...params });

/** The methods of the service of a collection type, over `strapi.documents`. */
const collectionService = (strapi: Strapi, uid: string): Named => ({
  getFetchParams: withStatus,
  async find(this: Named, params: Params = {}) {
    const query = this['getFetchParams'](params) as Named;
    const { start, limit, ...pagination } = pageOf(strapi, query['pagination'] as Named | undefined);
    const documents = documentsOf(strapi, uid);
    const results: unknown = await documents['findMany']?.({ ...query, start, limit });
    const withCount = countedOf(strapi, query['pagination'] as Named | undefined);
    const total = withCount ? Number(await documents['count']?.({ ...query, start, limit })) : undefined;
    return { results, ...pageMeta({ total }, { ...pagination, start, limit, withCount }) };
  },
  findOne(this: Named, documentId: unknown, params: Params = {}) {
    return documentsOf(strapi, uid)['findOne']?.({ ...this['getFetchParams'](params), documentId });
  },
  create(this: Named, params: Named = { data: {} }) {
    return documentsOf(strapi, uid)['create']?.(this['getFetchParams'](params) as Named);
  },
  update(this: Named, documentId: unknown, params: Named = { data: {} }) {
    return documentsOf(strapi, uid)['update']?.({ ...this['getFetchParams'](params), documentId });
  },
  async delete(this: Named, documentId: unknown, params: Params = {}) {
    const deleted: Anything = await documentsOf(strapi, uid)['delete']?.({
      ...this['getFetchParams'](params),
      documentId,
    });
    return { deletedEntries: Number(deleted.entries.length) };
  },
});

/** The methods of the service of a single type. */
function singleService(strapi: Strapi, uid: string): Named {
  const documentIdOf = async (): Promise<unknown> => documentIdOfSingle(documentsOf(strapi, uid));
  return {
    getFetchParams: withStatus,
    getDocumentId: documentIdOf,
    find(this: Named, params: Params = {}) {
      return documentsOf(strapi, uid)['findFirst']?.(this['getFetchParams'](params) as Named);
    },
    async createOrUpdate(this: Named, params: Named = {}) {
      const documentId = await documentIdOf();
      const written = this['getFetchParams'](params) as Named;
      const documents = documentsOf(strapi, uid);
      return documentId === undefined
        ? documents['create']?.(written)
        : documents['update']?.({ ...written, documentId });
    },
    async delete(this: Named, params: Params = {}) {
      const documentId = await documentIdOf();
      if (documentId === undefined) return { deletedEntries: 0 };
      const deleted: Anything = await documentsOf(strapi, uid)['delete']?.({
        ...this['getFetchParams'](params),
        documentId,
      });
      return { deletedEntries: Number(deleted.entries.length) };
    },
  };
}

/** The service of a content type as code of Strapi 5 has it. @throws Error for an unknown content type */
export function createServiceOfStrapi5(strapi: Strapi, uid: string): Named {
  const make = modelOf(strapi, uid).kind === 'singleType' ? singleService : collectionService;
  const service = make(strapi, uid);
  return Object.assign(service, { [CORE]: { ...service }, contentType: strapi.contentType(uid) });
}

/** @throws ValidationError for pages and an offset together, and numbers that are none */
function pageOf({ config }: Strapi, given: Named = {}) {
  const defaultLimit = Number(config.get('api.rest.defaultLimit', 25));
  const maxLimit = Number(config.get('api.rest.maxLimit')) || Number.POSITIVE_INFINITY;
  const { page, pageSize, start, limit } = given;
  const [byPage, byOffset] = [page ?? pageSize, start ?? limit].map((value) => value !== undefined);
  if (byPage === true && byOffset === true)
    throw new errors.PaginationError(
      'Invalid pagination attributes. You cannot use page and offset attributes together',
    );
  const size = Math.min(maxLimit, Math.max(1, integerOf(byOffset === true ? limit : pageSize, defaultLimit)));
  if (byOffset === true) return { form: 'offset', start: Math.max(0, integerOf(start, 0)), limit: size } as const;
  const number = Math.max(1, integerOf(page, 1));
  return { form: 'page', page: number, start: (number - 1) * size, limit: size } as const;
}

function integerOf(input: unknown, fallback: number): number {
  const number = input === undefined ? fallback : Number(input);
  if (Number.isSafeInteger(number)) return number;
  throw new errors.PaginationError('Invalid pagination: expected an integer');
}

function countedOf({ config }: Strapi, { withCount }: Named = {}): boolean {
  if (withCount === undefined) return Boolean(config.get('api.rest.withCount', true));
  if ([true, 'true', 't', '1', 1].includes(withCount as string)) return true;
  if ([false, 'false', 'f', '0', 0].includes(withCount as string)) return false;
  throw new errors.ValidationError('Invalid withCount parameter. Expected "t","1","true","false","0","f"');
}
