import type { ComponentPath } from '../../content-types/model/component-paths.js';
import type { ContentType } from '../../content-types/model/types.js';
import { system } from '../../documents/caller.js';
import { emptyQuery } from '../../documents/context.js';
import { NO_LIMIT, type Filter, type Query } from '../../query/ast.js';
import { plainEntry, type LazyEntry } from '../../query/entry-presenter.js';
import type { Runtime } from '../strapi.js';

/** Reads of entries, each of which is one row to code. */
interface Versions {
  readonly find: (
    query: Query & { readonly componentPaths?: readonly ComponentPath[] },
  ) => Promise<readonly LazyEntry[]>;
  readonly count: (filter: Filter | undefined, paths?: readonly ComponentPath[]) => Promise<number>;
}

/** Whether an entry is two rows to code, its draft and what is published of it. */
export const isTwoRows = (type: ContentType, { codeForm }: Pick<Runtime, 'codeForm'>): boolean =>
  codeForm !== undefined && type.draftAndPublish && type.copies !== undefined;

/**
 * What `strapi.db.query` finds of a type. To code of Strapi 5 an entry of a type with drafts is up to two rows, its
 * draft and what is published of it (recorded: code/16-db-query): the drafts come first, as their rows are older. They
 * have an order of their own only, so both together have no other.
 */
export function openVersions(type: ContentType, { store, documents, codeForm }: Runtime): Versions {
  const form = codeForm?.();
  if (form === undefined || !isTwoRows(type, { codeForm }))
    return {
      find: async (query) => (await store.find(query)).entries,
      count: async (filter, paths) => store.count(type, filter, paths),
    };
  const readPage = async (query: Query) =>
    documents.read({ caller: system, action: 'find', query, presenter: plainEntry }, ({ page }) => page);
  return {
    find: async (query) => {
      const { start, limit } = query.pagination;
      const isAll = start === 0 && limit >= NO_LIMIT;
      const page = { form: 'offset', start: 0, limit: isAll ? limit : start + limit, withCount: false } as const;
      const [drafts = [], published = []] = await Promise.all(
        form.versions({ ...query, pagination: page }).map(async (version) => (await readPage(version)).entries),
      );
      if (drafts.length > 0 && published.length > 0 && query.sort.some(({ field }) => field.kind !== 'id'))
        throw new Error(
          `strapi.db.query('${type.uid}'): orderBy of drafts together with what is published is not supported: name one of them by publishedAt`,
        );
      return [...drafts, ...published].slice(start, start + limit);
    },
    count: async (filter) => {
      const pagination = { form: 'offset', start: 0, limit: 1, withCount: true } as const;
      const counted = form.versions({ ...emptyQuery(type), filter, pagination });
      const totals = await Promise.all(counted.map(async (version) => (await readPage(version)).total ?? 0));
      return totals.reduce((sum, total) => sum + total, 0);
    },
  };
}
