import { AppError, documentIs, type FieldArguments, type Query, type ReadForm } from 'content-service/plugin';
import { localeOf, namesEveryLocale } from '../locale.js';
import { flatPresenter } from '../presenters.js';
import { ofDrafts, publicationFilterOf, statusOf, withFilter } from '../status.js';

/** What the fields of the schema read: the same as requests to the REST API. */
export const reads: ReadForm = {
  audience: 'documents',
  wayTo: ({ response, collection, relationCollection }) => ({
    [response]: ['data'],
    [collection]: ['nodes'],
    [relationCollection]: ['nodes'],
  }),
  wayToPage: ['pageInfo'],
  relatedState: undefined,
  presenter: flatPresenter,
  scope,
  entryOf: (type, { documentId }) => documentIs(type, String(documentId)),
};

/** @throws AppError notFound where every locale is named of one entry, invalidInput */
function scope(query: Query, args: FieldArguments): Query {
  const { type } = query;
  const isOne = args['documentId'] !== undefined || type.kind === 'singleType';
  if (isOne && namesEveryLocale(args, type)) throw new AppError('notFound');
  const locale = localeOf(args, type);
  const scoped = withFilter(
    locale === undefined ? query : { ...query, parameters: { ...query.parameters, locale } },
    publicationFilterOf(args, type),
  );
  return statusOf(args['status']) === 'draft' ? ofDrafts(scoped) : { ...scoped, publicationState: 'live' };
}
