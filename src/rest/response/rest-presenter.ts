import type { ContentType } from '../../content-types/model/types.js';
import { listingOf } from '../../documents/listings.js';
import { plainEntry, type EntryPresenter } from '../../query/entry-presenter.js';

/**
 * Entries as in Strapi v4's REST API (corpus: 10-crud/10-read): `{ id, attributes }`, relations in `{ data }`. Routes,
 * batches, feeds, `If-Match`, the cache and code of a project have the form of an answer from here alone.
 */
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

/** That of entries of a type; those of files and users are plain in every request (corpus: 70-upload/01-files). */
export const presenterOf = (type: ContentType): EntryPresenter =>
  listingOf(type)?.hasEnvelope === false ? plainEntry : restPresenter;
