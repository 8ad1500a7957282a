import type { ContentType } from '../content-types/model/types.js';
import { AppError } from '../errors/app-error.js';
import type { Attributes, Shape } from '../mongo/read/assemble.js';
import type { Reader } from '../mongo/store.js';
import { both, id as idField, type Filter, type Query } from '../query/ast.js';
import { emptyQuery, type Asked, type Data, type DocumentsContext } from './context.js';
import type { Action } from './interceptors.js';

/** The same query for its first entry alone. */
export const first = (query: Query): Query => ({ ...query, pagination: emptyQuery(query.type).pagination });

/** Finds the first entry of a query. @throws AppError notFound */
export async function findFirst(
  { store }: DocumentsContext,
  query: Query,
  shape: Shape,
  reader?: Reader,
): Promise<unknown> {
  const { entries } = await store.find(first(query), shape, reader);
  if (entries.length === 0) throw new AppError('notFound');
  return entries[0];
}

/** What is wanted of an entry, as a query that the interceptors have seen: before a write is the time to refuse it. */
export const askFor = (
  { intercept }: DocumentsContext,
  type: ContentType,
  action: Action,
  { selection, locale, caller, shape, previewed = false }: Asked,
): Query => intercept({ ...emptyQuery(type), ...selection, locale }, { action, caller, shape, previewed });

/** The same query for the entry with this id. */
export const withId = (query: Query, id: number): Query => ({ ...query, filter: both(query.filter, idIs(id)) });

/** Checks that the caller may change this entry, where an interceptor hides some entries from them. @throws AppError notFound */
export async function assertVisible(
  context: DocumentsContext,
  { type, filter }: Pick<Query, 'type' | 'filter'>,
  id: number,
): Promise<void> {
  if (filter !== undefined) await findById(context, { ...emptyQuery(type), filter }, id, onlyId);
}

/** Finds the entry of a query that has this id. @throws AppError notFound */
export const findById = (context: DocumentsContext, query: Query, id: number, shape: Shape): Promise<unknown> =>
  findFirst(context, withId(query, id), shape);

const idIs = (id: number): Filter => ({ kind: 'comparison', field: idField, operator: '$eq', operands: [id] });

const onlyId: Shape = {
  entry: (id) => id,
  one: (entry) => entry,
  many: (entries) => entries,
  get morph() {
    return onlyId;
  },
};

/** The id of a single type's entry; undefined when there is none in this publication state. */
export async function findSingleId(
  { store, intercept }: DocumentsContext,
  type: ContentType,
  publicationState: 'live' | 'preview',
  { caller, locale }: Pick<Asked, 'caller' | 'locale'>,
): Promise<number | undefined> {
  const query = intercept({ ...emptyQuery(type), publicationState, locale }, { action: 'findSingle', caller });
  const { entries } = await store.find(query, onlyId);
  return entries[0] as number | undefined;
}

const onlyAttributes: Shape = { ...onlyId, entry: (_, attributes: Attributes) => attributes };

/** The locale of an entry of a localized type. @throws AppError notFound */
export async function localeOf(context: DocumentsContext, type: ContentType, id: number): Promise<string | undefined> {
  const field = type.attributes.get('locale');
  if (field?.kind !== 'scalar') return undefined;
  const { locale } = (await findById(context, { ...emptyQuery(type), fields: [field] }, id, onlyAttributes)) as Data;
  return typeof locale === 'string' ? locale : undefined;
}

/** Is the entry a draft? @throws AppError notFound */
export async function isDraft(context: DocumentsContext, type: ContentType, id: number): Promise<boolean> {
  const publishedAt = type.attributes.get('publishedAt');
  const fields = publishedAt?.kind === 'scalar' ? [publishedAt] : [];
  const entry = (await findById(context, { ...emptyQuery(type), fields }, id, onlyAttributes)) as Data;
  return type.draftAndPublish && entry['publishedAt'] === null;
}
