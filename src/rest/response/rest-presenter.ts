import { plainEntry, type EntryPresenter } from '../../query/entry-presenter.js';

/** Entries as in Strapi v4's REST API (corpus: 10-crud/10-read): `{ id, attributes }`, relations in `{ data }`. */
export const restPresenter: EntryPresenter = {
  name: 'rest',
  locales: true,
  entry: (id, attributes, availableLocales) => ({
    id,
    attributes,
    ...(availableLocales && { meta: { availableLocales } }),
  }),
  one: (entry) => ({ data: entry }),
  many: (entries) => ({ data: entries }),
  morph: plainEntry,
};
