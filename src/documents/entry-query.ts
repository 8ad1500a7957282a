import { isLocalized, isShared } from '../content-types/model/localized.js';
import { both, idIs, withId, type Filter, type Query } from '../query/ast.js';
import type { EntryPresenter } from '../query/entry-presenter.js';
import type { DocumentsContext } from './context.js';
import type { ReadContext } from './request-context.js';

type Rules = Pick<DocumentsContext, 'intercept' | 'limitOf'>;

/** The read of the entry with an id; with `fallbackLocale` of one of its localizations. */
export function entryQuery(
  { intercept, limitOf }: Rules,
  query: Query,
  id: number,
  { caller, previewed = false }: ReadContext,
  presenter: EntryPresenter,
): Query {
  const read = { action: 'findOne', caller, presenter, previewed } as const;
  // A preview link shows the entry that it names.
  if (previewed) return withId(intercept({ ...query, fallbackLocale: undefined }, read), id);
  const permitted = intercept(query, read);
  if (query.fallbackLocale === undefined) return withId(permitted, id);
  return orLocalization(permitted, idIs(id), limitOf(query.type, 'findOne', caller));
}

/** The same for an entry with a key, which the filter of the query is. */
export function keyQuery(
  { intercept, limitOf }: Rules,
  query: Query,
  { caller, previewed = false }: ReadContext,
  presenter: EntryPresenter,
): Query {
  const read = { action: 'findByKey', caller, presenter, previewed } as const;
  // It also refuses a key that the caller may not filter by.
  const exact = intercept(query, read);
  const { type, filter: names, fallbackLocale, publicationState } = query;
  if (fallbackLocale === undefined || names === undefined || !isLocalized(type)) return exact;
  const live: Filter | undefined =
    type.draftAndPublish && publicationState !== 'preview' ? { kind: 'live' } : undefined;
  return orLocalization(
    intercept({ ...query, filter: undefined }, read),
    names,
    both(limitOf(type, 'findByKey', caller), live),
  );
}

/**
 * A query for the entry that a condition names and its localizations, of which the sort of the query selects one.
 * @param only the entries that the condition can name
 */
function orLocalization(query: Query, names: Filter, only: Filter | undefined): Query {
  const attribute = query.type.attributes.get('localizations');
  const isSame = names.kind === 'comparison' && names.field.kind === 'scalar' && isShared(names.field);
  if (isSame || attribute?.kind !== 'relation') return { ...query, filter: both(query.filter, names) };
  const others: Filter = { kind: 'related', attribute, filter: names, ...(only && { only }) };
  return { ...query, filter: both(query.filter, { kind: 'or', filters: [names, others] }) };
}
