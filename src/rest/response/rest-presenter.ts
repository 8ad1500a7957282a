import type { ContentType } from '../../content-types/model/types.js';
import { listingOf } from '../../documents/listings.js';
import { plainEntry, type EntryPresenter } from '../../query/entry-presenter.js';
import type { QueryInput } from '../../query/parse/input.js';

/** Entries as in Strapi v4's REST API (corpus: 10-crud/10-read): `{ id, attributes }`, relations in `{ data }`. */
const restPresenter: EntryPresenter = {
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

/** The parameters of a request, which are parsed only if they decide something. */
type Parameters = () => QueryInput;

/**
 * The form of entries in the answer to a request. Routes, batches, feeds, `If-Match`, the cache and code of a project have it from here alone: a
 * request that can choose its form chooses it here.
 */
export const requestedPresenter = (_parameters: Parameters): EntryPresenter => restPresenter;

/** That of entries of a type; those of files and users are plain in every request (corpus: 70-upload/01-files). */
export const presenterOf = (type: ContentType, parameters: Parameters): EntryPresenter =>
  listingOf(type)?.hasEnvelope === false ? plainEntry : requestedPresenter(parameters);
