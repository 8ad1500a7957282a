import lodash from 'lodash';
import { withAbsent } from '../absent-members.js';
import type { Anything, EntityService, Named, StrapiContext } from '../strapi.js';
import type { Repository, StrapiDocuments } from './documents.js';

/**
 * `strapi.entityService` of Strapi 5: calls of `strapi.documents`, for entries that code names by their numbers
 * (recorded: code/17-entity-service, code/58-entity-service-writes).
 * @param v4 what loads related entries, as in Strapi v4
 */
export function createEntityServiceOfStrapi5(context: StrapiContext, v4: EntityService): Named {
  const { strapi } = context;
  const documentsOf = (uid: string): Repository => (strapi['documents'] as StrapiDocuments)(uid);
  /** The document of an entry, and its locale and state. */
  const identified = async (uid: string, id: unknown): Promise<Named | null> => {
    if (typeof id !== 'number' && !/^\d+$/.test(String(id))) return null;
    return (await strapi.db.query(uid)['findOne']?.({ where: { id } })) as Named | null;
  };
  const isDraft = (uid: string, { publishedAt }: Named): boolean =>
    strapi.contentType(uid)?.options['draftAndPublish'] === true && publishedAt === null;
  const statusOf = (uid: string, data: Named): 'draft' | 'published' => (isDraft(uid, data) ? 'draft' : 'published');
  const service = {
    findMany: async (uid: string, params: Named = {}): Promise<Anything> =>
      strapi.getModel(uid)?.kind === 'singleType'
        ? documentsOf(uid).findFirst?.(params)
        : documentsOf(uid).findMany?.(params),
    findPage: async (uid: string, { page, pageSize, ...params }: Named = {}): Promise<Anything> => {
      const [number, size] = [Math.max(1, Number(page ?? 1)), Math.max(1, Number(pageSize ?? 10))];
      const range = { start: (number - 1) * size, limit: size };
      const [results, total] = await Promise.all([
        documentsOf(uid).findMany?.({ ...params, ...range }),
        documentsOf(uid).count?.(params),
      ]);
      const pageCount = Math.ceil(Number(total) / size);
      return {
        results: results as unknown,
        pagination: { page: number, pageSize: size, pageCount, total: Number(total) },
      };
    },
    findOne: async (uid: string, id: unknown, params: Named = {}): Promise<Anything> => {
      const entry = await identified(uid, id);
      return entry === null
        ? null
        : documentsOf(uid).findOne?.({ ...params, documentId: entry['documentId'] as unknown });
    },
    count: async (uid: string, params: Named = {}): Promise<Anything> => documentsOf(uid).count?.(params),
    create: async (uid: string, params: Named = {}): Promise<Anything> => {
      const { data } = params;
      if (!data) throw new Error('cannot create');
      return documentsOf(uid).create?.({ ...params, status: statusOf(uid, data as Named) });
    },
    update: async (uid: string, id: unknown, params: Named = {}): Promise<Anything> => {
      const entry = await identified(uid, id);
      if (entry === null) return null;
      const status = await stateOf(uid, entry);
      return documentsOf(uid).update?.({ ...params, status, documentId: entry['documentId'] as unknown });
    },
    delete: async (uid: string, id: unknown, params: Named = {}): Promise<Anything> => {
      const entry = await identified(uid, id);
      if (entry === null) return null;
      const deleted: Anything = await documentsOf(uid).delete?.({
        ...params,
        documentId: entry['documentId'] as unknown,
      });
      return (deleted.entries[0] ?? null) as unknown;
    },
    ...lodash.pick(v4 as Named, ['load', 'loadPages', 'emitEvent']),
    wrapParams: async (params: unknown) => params,
    wrapResult: async (result: unknown) => result,
  };
  /** An entry has one number for both of its versions: one that is published is published again. */
  const stateOf = async (uid: string, { documentId, locale }: Named): Promise<'draft' | 'published'> => {
    const named = {
      documentId: documentId as unknown,
      locale: locale as unknown,
      status: 'published',
      fields: ['documentId'],
    };
    return (await documentsOf(uid).findOne?.(named)) === null ? 'draft' : 'published';
  };
  return withAbsent('strapi.entityService', service);
}
