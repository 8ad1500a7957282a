import { documentIs, type FieldArguments, type ReadForm } from 'content-service/content-api';
import { AppError, type Query } from 'content-service/plugin';
import { localeOf, localeOfEntry, namesEveryLocale } from '../locale.js';
import { flatPresenter } from '../presenters.js';
import { explainRights } from '../strict/explain-rights.js';
import { checkSort } from '../strict/sort.js';
import type { Settings } from '../settings.js';
import { inCohort, ofDrafts, ofPublished, statusOf } from '../status.js';

/** What the fields of the schema read: the same as requests to the REST API. */
export const createReads = (settings: Settings): ReadForm => ({
  audience: 'documents',
  check: (input, model, caller) => {
    checkSort(input['sort'], model, { param: 'sort', path: null });
    explainRights(input, model, caller);
  },
  wayTo: ({ response, collection, relationCollection }) => ({
    [response]: ['data'],
    [collection]: ['nodes'],
    [relationCollection]: ['nodes'],
  }),
  wayToPage: ['pageInfo'],
  wayToGroups: 'nodes',
  relatedState: undefined,
  presenter: flatPresenter,
  scope: (query, args) => scopeOf(query, args, settings),
  entryOf: (type, { documentId }) => documentIs(type, String(documentId)),
});

/**
 * A query for what the arguments of a field name: a status, a locale.
 * @throws AppError notFound where every locale is named of one entry, invalidInput
 */
export function scopeOf(query: Query, args: FieldArguments, settings: Settings): Query {
  const { type } = query;
  const isOne = args['documentId'] !== undefined || type.kind === 'singleType';
  if (isOne && namesEveryLocale(args, type)) throw new AppError('notFound');
  if (isOne) localeOfEntry(args['locale'], type);
  const locale = localeOf(args, type);
  const status = statusOf(args['status']);
  const named = locale === undefined ? query : { ...query, parameters: { ...query.parameters, locale } };
  const scoped = inCohort(named, type, args, status);
  return status === 'draft' ? ofDrafts(scoped) : ofPublished(scoped, settings);
}
