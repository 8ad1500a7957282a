import { plainEntry, type EntryPresenter } from '../../query/entry-presenter.js';

/**
 * Entries with the header `Strapi-Response-Format: v4`: nested, with their `documentId` beside the id (recorded:
 * code/21-rest).
 */
export const presentNested: EntryPresenter = {
  ...plainEntry,
  name: 'strapi5 nested',
  entry: (id, { documentId, ...attributes }) => ({ id, documentId, attributes }),
  one: (data) => ({ data }),
  many: (data) => ({ data }),
};
