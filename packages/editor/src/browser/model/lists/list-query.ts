import { scalarTypes } from '../attribute-types.js';
import { isScalar, titleAttribute, typeOf, type Attribute, type Content, type ContentType } from '../schema.js';
import { entryQuery, linkFields, thumbnailFields } from '../selection.js';
import {
  columnsOf,
  filterable,
  idsIn,
  isTimed,
  namesEntries,
  operatorOf,
  sortOf,
  type Filter,
  type ListState,
} from './list-state.js';

/** The query of the API for a state. */
export function listQuery(
  content: Content,
  type: ContentType,
  state: ListState,
  columns: readonly Attribute[] = columnsOf(type),
): object {
  const names = columns.filter(isScalar).map(({ name }) => name);
  const system = ['updatedAt', 'publishedAt'].filter((name) => type.attributes.some((own) => own.name === name));
  const { page, pageSize } = state;
  return {
    fields: ['id', ...names, ...system],
    populate: {
      ...Object.fromEntries(columns.flatMap((column) => populateColumn(content, column))),
      ...(isTranslated(content, type) && { localizations: { fields: ['locale'] } }),
    },
    sort: sortOf(type, state.sort),
    ...conditionsOf(content, type, state),
    // Users are listed by offset. One more shows that there is another page where code of the project does not count.
    ...(type.plain
      ? { start: (page - 1) * pageSize, limit: pageSize + 1, withCount: true }
      : { pagination: { page, pageSize } }),
  };
}

/** Whether its list says into which languages entries are translated. */
export const isTranslated = ({ locales }: Content, { localized }: ContentType): boolean =>
  localized && locales.length > 1;

function populateColumn(content: Content, attribute: Attribute): readonly (readonly [name: string, what: object])[] {
  if (attribute.type === 'media') return [[attribute.name, { fields: thumbnailFields }]];
  if (attribute.type !== 'relation') return [];
  const { fields } = linkFields(typeOf(content, attribute.targets[0] ?? ''));
  return [[attribute.name, { fields, publicationState: 'preview' }]];
}

/** The query for the entries of a type that were changed last, among those that match filters; in all locales. */
export function recentQuery(type: ContentType, pageSize: number, filters?: object): object {
  const { fields } = linkFields(type);
  return {
    fields: [...fields, ...(isTimed(type) ? ['updatedAt'] : []), ...(type.localized ? ['locale'] : [])],
    ...(type.draftAndPublish && { publicationState: 'preview' }),
    ...(filters !== undefined && { filters }),
    ...(type.localized && { locale: 'all' }),
    ...(type.kind === 'collectionType' && {
      sort: sortOf(type),
      pagination: { pageSize },
    }),
  };
}

/** The parameters that decide which entries a list has. */
const conditionsOf = (content: Content, type: ContentType, state: ListState, only: readonly object[] = []): object => ({
  ...(state.search !== '' && { _q: state.search }),
  ...(type.localized && state.locale !== '' && { locale: state.locale }),
  ...(type.draftAndPublish && state.status !== 'published' && { publicationState: 'preview' }),
  ...(type.workingCopies === true && state.status === 'modified' && { modified: true }),
  ...filtersOf(content, type, state, only),
});

/** Values that a filter offers with their counts: there are rarely more. */
const MAX_VALUES = 100;

/**
 * The query for how many entries there are of each value of an attribute, or of each related entry, among those that
 * the list has.
 */
export const countsQuery = (
  content: Content,
  type: ContentType,
  state: ListState,
  attribute: Pick<Attribute, 'name' | 'type'>,
): object => ({
  ...conditionsOf(content, type, state),
  groupBy: attribute.type === 'relation' ? `${attribute.name}.id` : attribute.name,
  sort: 'count:desc',
  pagination: { pageSize: MAX_VALUES, withCount: false },
});

/** How many entries are read at once where all of a list are read. */
const READ_AT_ONCE = 100;

/** Which entries of a list are read: the next ones after an id, or some of them. */
export type MatchingPart = { readonly after: number } | { readonly ids: readonly number[] };

/**
 * The query for entries of a list, whatever page they are on, with their titles and states and with these attributes.
 * Their ids are their order, so that none is missed or read twice while others are written.
 */
export function matchingQuery(
  content: Content,
  type: ContentType,
  state: ListState,
  part: MatchingPart,
  attributes: readonly Attribute[] = [],
): object {
  const fields = [...linkFields(type).fields, ...attributes.filter(isScalar).map(({ name }) => name)];
  const { populate } = entryQuery(content, { ...type, localized: false, attributes });
  const only = 'ids' in part ? { id: { $in: part.ids } } : { id: { $gt: part.after } };
  return {
    fields: [...new Set(fields)],
    populate,
    sort: 'id:asc',
    ...conditionsOf(content, type, state, [only]),
    pagination: { pageSize: READ_AT_ONCE, withCount: false },
  };
}

function filtersOf(
  content: Content,
  type: ContentType,
  { filters, status, isUntranslated }: ListState,
  only: readonly object[],
): object {
  const conditions = filters.flatMap((filter) => {
    const attribute = filterable(type).find(({ name }) => name === filter.attribute);
    return attribute === undefined ? [] : [{ [filter.attribute]: conditionOf(content, attribute, filter) }];
  });
  const drafts = type.draftAndPublish && status === 'draft' ? [{ publishedAt: { $null: true } }] : [];
  const untranslated = type.localized && isUntranslated ? [{ localizations: { id: { $null: true } } }] : [];
  const all = [...conditions, ...drafts, ...untranslated, ...only];
  return all.length === 0 ? {} : { filters: { $and: all } };
}

function conditionOf(content: Content, attribute: Attribute, { operator: name, operand }: Filter): object {
  const operator = operatorOf(attribute, name);
  const isUnary = operator?.unary === true;
  if (attribute.type === 'relation') {
    if (operator !== undefined && namesEntries(operator)) return { id: { $in: idsIn(operand) } };
    const target = typeOf(content, attribute.targets[0] ?? '');
    const title = target === undefined ? undefined : titleAttribute(target);
    return isUnary || title === undefined
      ? { id: { [name]: isUnary ? true : operand } }
      : { [title.name]: { [name]: operand } };
  }
  const isTime = isScalar(attribute) && scalarTypes[attribute.type].value === 'instant';
  const time = isTime && !isUnary ? new Date(operand) : undefined;
  const value = isUnary ? true : time !== undefined && !Number.isNaN(time.getTime()) ? time.toISOString() : operand;
  return { [name]: value };
}
