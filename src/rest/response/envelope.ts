import { writeDateTime } from '../../content-types/model/dates.js';
import { bare } from '../../documents/shapes.js';
import type { Form } from '../../mongo/cache/response-cache.js';
import type { Attributes, AvailableLocale, Shape } from '../../mongo/read/assemble.js';
import type { Page } from '../../mongo/read/page.js';
import type { Pagination } from '../../query/ast.js';
import { serializeList } from './serialize-list.js';

/** Entries as Strapi v4's REST API has them: `{ id, attributes }`, relations in `{ data }`. */
export const restShape: Shape = {
  locales: true,
  entry: (id: number | undefined, attributes: Attributes, availableLocales?: readonly AvailableLocale[]) => ({
    id,
    attributes,
    ...(availableLocales && { meta: { availableLocales } }),
  }),
  one: (entry) => ({ data: entry }),
  many: (entries) => ({ data: entries }),
  moment: writeDateTime,
  morph: bare,
};

/** Lists as they are sent. @param limit the most bytes of one */
export const listForm = (limit: number): Form => ({
  name: 'rest',
  shape: restShape,
  write: (page, { pagination }) => serializeList(page.entries, metaOf(page, pagination), limit),
});

interface Envelope {
  readonly data: unknown;
  readonly meta: object;
}

export const envelope = (entry: unknown): Envelope => ({ data: entry, meta: {} });

/** A list with `meta.pagination` in the form in which the client asked. */
export const listEnvelope = (page: Page, pagination: Pagination): Envelope => ({
  data: page.entries,
  meta: metaOf(page, pagination),
});

function metaOf({ total, next }: Page, { form, page = 1, start, limit }: Pagination): object {
  const after = next !== undefined;
  const place = form === 'offset' ? { start, limit } : { page, pageSize: limit };
  const size = form === 'offset' ? { limit } : { pageSize: limit };
  const pages = form === 'page' && total !== undefined ? { pageCount: Math.ceil(total / limit) } : {};
  const counted = total === undefined ? {} : { ...pages, total };
  return { pagination: { ...(after ? size : place), ...counted, ...(after && { next }) } };
}
