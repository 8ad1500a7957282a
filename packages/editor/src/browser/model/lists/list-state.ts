import type { Texts } from '../../language/texts.js';
import { operatorsByKind, scalarTypes } from '../attribute-types.js';
import { entryQuery, linkFields, thumbnailFields } from '../selection.js';
import {
  formAttributes,
  isScalar,
  titleAttribute,
  typeOf,
  type Attribute,
  type Content,
  type ContentType,
} from '../schema.js';

/** What a list shows; all of it is in the URL, so that a bookmark is a saved view. */
export interface ListState {
  readonly page: number;
  readonly pageSize: number;
  /** E.g. `title:asc`; empty: as usual. */
  readonly sort: string;
  readonly search: string;
  /** Of types with drafts. */
  readonly status: Status;
  /** Of localized types; empty: the default one. */
  readonly locale: string;
  readonly filters: readonly Filter[];
}

export type Status = 'all' | 'published' | 'draft';

export interface Filter {
  readonly attribute: string;
  readonly operator: string;
  /** Empty for operators without an operand. */
  readonly operand: string;
}

export const pageSizes: readonly number[] = [10, 25, 50, 100];
export const firstPage: ListState = {
  page: 1,
  pageSize: 25,
  sort: '',
  search: '',
  status: 'all',
  locale: '',
  filters: [],
};

/** The state that the query string of an address describes; what it does not understand is left out. */
export function parseListState(search: string): ListState {
  const parameters = new URLSearchParams(search);
  const number = (name: 'page' | 'pageSize'): number => {
    const value = Number(parameters.get(name));
    return Number.isSafeInteger(value) && value > 0 ? value : firstPage[name];
  };
  const status = parameters.get('status');
  return {
    page: number('page'),
    pageSize: pageSizes.includes(number('pageSize')) ? number('pageSize') : firstPage.pageSize,
    sort: parameters.get('sort') ?? firstPage.sort,
    search: parameters.get('search') ?? '',
    status: status === 'published' || status === 'draft' ? status : 'all',
    locale: parameters.get('locale') ?? '',
    filters: parameters.getAll('filter').flatMap((text) => {
      const [, attribute = '', operator = '', operand = ''] = /^(\w+):(\$\w+)(?::(.*))?$/s.exec(text) ?? [];
      return attribute === '' ? [] : [{ attribute, operator, operand }];
    }),
  };
}

/** The query string of a state: only what differs from the first page. */
export function formatListState(state: ListState): string {
  const parameters = new URLSearchParams();
  for (const name of ['page', 'pageSize', 'sort', 'search', 'status', 'locale'] as const) {
    if (state[name] !== firstPage[name]) parameters.set(name, String(state[name]));
  }
  for (const { attribute, operator, operand } of state.filters) {
    parameters.append('filter', `${attribute}:${operator}${operand === '' ? '' : `:${operand}`}`);
  }
  return parameters.toString();
}

/** What a list shows, under a name that its user chose. */
export interface View {
  readonly name: string;
  /** The query string of its first page. */
  readonly search: string;
  /** Absent: the usual ones. */
  readonly columns?: readonly string[] | undefined;
}

/** The view of what a list shows now. */
export const viewOf = (name: string, state: ListState, columns: readonly string[] | undefined): View => ({
  name,
  search: formatListState({ ...state, page: 1 }),
  ...(columns !== undefined && { columns }),
});

export const showsSame = (left: View, right: View): boolean =>
  left.search === right.search && String(left.columns) === String(right.columns);

export interface Operator {
  readonly name: string;
  readonly label: keyof Texts['operators'];
  /** It compares with no operand. */
  readonly unary: boolean;
}

/** How entries can be filtered by an attribute; values of JSON, components and files cannot be compared. */
export function operatorsOf(attribute: Attribute): readonly Operator[] {
  if (attribute.type === 'relation') return operatorsByKind.relation;
  const kind = isScalar(attribute) ? scalarTypes[attribute.type].operators : undefined;
  return kind === undefined ? [] : operatorsByKind[kind];
}

/** The attributes that a list can be filtered by. */
export const filterable = ({ attributes }: ContentType): readonly Attribute[] =>
  attributes.filter(
    (attribute) =>
      attribute.read && operatorsOf(attribute).length > 0 && !(attribute.type === 'relation' && attribute.morph),
  );

/** Lists can be sorted by plain values. */
export const isSortable = (attribute: Attribute): boolean => isScalar(attribute) && scalarTypes[attribute.type].column;

/** The names that a list with these columns can be sorted by. */
export const sortableColumns = (type: ContentType, columns: readonly Attribute[]): readonly string[] => [
  ...columns.filter(isSortable).map(({ name }) => name),
  ...(isTimed(type) ? ['updatedAt'] : []),
];

/** The column of ids, which is no attribute; nobody needs it unless they choose it. */
export const ID = 'id';

/** What a list can show: files, the title, values of a line and single relations, in the order of the definition. */
export function columnChoices(type: ContentType): readonly Attribute[] {
  const title = titleAttribute(type);
  const attributes = formAttributes(type).filter(({ read }) => read);
  return [
    ...attributes.filter((attribute) => attribute.type === 'media'),
    ...(title === undefined ? [] : [title]),
    ...attributes.filter(
      (attribute) =>
        attribute !== title &&
        (attribute.type === 'relation'
          ? !attribute.multiple && !attribute.morph
          : isSortable(attribute) || attribute.type === 'text'),
    ),
  ];
}

const MAX_COLUMNS = 5;

export const isTimed = ({ attributes }: ContentType): boolean =>
  attributes.some(({ name, read }) => name === 'updatedAt' && read);

/** The order of a list: the one that its user chose, or else what was changed last is first. */
export const sortOf = (type: ContentType, chosen = ''): string =>
  chosen !== '' ? chosen : isTimed(type) ? 'updatedAt:desc' : 'id:desc';

/** The columns of a list: the title and the chosen ones, or the first image, the title and what is short. */
export function columnsOf(type: ContentType, chosen?: readonly string[]): readonly Attribute[] {
  const title = titleAttribute(type);
  const choices = columnChoices(type);
  if (chosen !== undefined)
    return choices.filter((attribute) => attribute === title || chosen.includes(attribute.name));
  const cover = choices.filter((attribute) => attribute.type === 'media' && !attribute.multiple).slice(0, 1);
  const others = choices.filter(
    (attribute) =>
      attribute === title ||
      // A `uid` repeats the title.
      (attribute.type !== 'media' && attribute.type !== 'text' && !(title !== undefined && attribute.type === 'uid')),
  );
  return [...cover, ...others].slice(0, MAX_COLUMNS);
}

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
    populate: Object.fromEntries(columns.flatMap((column) => populateColumn(content, column))),
    sort: sortOf(type, state.sort),
    ...conditionsOf(content, type, state),
    // Users are listed by offset.
    ...(type.plain ? { start: (page - 1) * pageSize, limit: pageSize + 1 } : { pagination: { page, pageSize } }),
  };
}

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
  ...filtersOf(content, type, state, only),
});

/** How many entries are read at once where all of a list are read. */
const READ_AT_ONCE = 100;

/** Which entries of a list are read: the next ones after an id, or some of them. */
export type MatchingPart = { readonly after: number } | { readonly ids: readonly number[] };

/**
 * The query for entries of a list, whatever page they are on, with their titles and states and with these attributes. Their ids are their order,
 * so that none is missed or read twice while others are written.
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
  { filters, status }: ListState,
  only: readonly object[],
): object {
  const conditions = filters.flatMap((filter) => {
    const attribute = filterable(type).find(({ name }) => name === filter.attribute);
    return attribute === undefined ? [] : [{ [filter.attribute]: conditionOf(content, attribute, filter) }];
  });
  const drafts = type.draftAndPublish && status === 'draft' ? [{ publishedAt: { $null: true } }] : [];
  const all = [...conditions, ...drafts, ...only];
  return all.length === 0 ? {} : { filters: { $and: all } };
}

function conditionOf(content: Content, attribute: Attribute, { operator, operand }: Filter): object {
  const isUnary = operatorsOf(attribute).find(({ name }) => name === operator)?.unary === true;
  const isTime = isScalar(attribute) && scalarTypes[attribute.type].value === 'instant';
  const time = isTime && !isUnary ? new Date(operand) : undefined;
  const value = isUnary ? true : time !== undefined && !Number.isNaN(time.getTime()) ? time.toISOString() : operand;
  if (attribute.type !== 'relation') return { [operator]: value };
  const target = typeOf(content, attribute.targets[0] ?? '');
  const title = target === undefined ? undefined : titleAttribute(target);
  return isUnary || title === undefined ? { id: { [operator]: value } } : { [title.name]: { [operator]: value } };
}
