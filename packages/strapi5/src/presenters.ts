import type { Data, EntryPresenter } from 'content-service/plugin';

/** Entries as in Strapi 5: flat, with relations as they are, and empty lists (recorded: 10-basics, 12-populate). */
export const flatPresenter: EntryPresenter = {
  name: 'strapi5',
  entry: (id, attributes) => (id === undefined ? attributes : { id, ...attributes }),
  one: (entry) => entry,
  many: (entries) => entries,
  typed: true,
  emptyLists: true,
  // Of types without locales, too (recorded: 12-populate, import/reads).
  morphed: (entry) => ({ locale: null, ...(entry as Data) }),
  get morph() {
    return flatPresenter;
  },
};

/**
 * Files by the routes of uploads: their addresses are good for ever, also where a provider signs the ones that they
 * lead to (recorded: 18-users-upload).
 */
export const filePresenter: EntryPresenter = {
  ...flatPresenter,
  name: 'strapi5 files',
  entry: (id, attributes) => ({ id, ...attributes, isUrlSigned: false }),
  morph: flatPresenter,
};

/**
 * With the header `Strapi-Response-Format: v4` (recorded: 11-v4-header): nested, but with ids of Strapi 5. Behind
 * morphs all is flat.
 */
export const nestedPresenter: EntryPresenter = {
  name: 'strapi5 nested',
  entry: (id, { documentId, ...attributes }: Data) =>
    id === undefined ? { attributes } : { id, documentId, attributes },
  one: (entry) => ({ data: entry }),
  many: (entries) => ({ data: entries }),
  typed: true,
  emptyLists: true,
  morph: flatPresenter,
};

/** The form that the headers of a request ask for. */
export const presenterFor = (headers: Readonly<Record<string, unknown>>): EntryPresenter =>
  headers['strapi-response-format'] === 'v4' ? nestedPresenter : flatPresenter;
