import { formAttributes, isScalar, titleAttribute, type Attribute, type ContentType } from '../schema.js';
import { listedTypes, operatorsByKind, type Operator } from './filters.js';

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
  /** Of localized types: those without any translation. */
  readonly isUntranslated: boolean;
  readonly filters: readonly Filter[];
}

/** What is modified is published, and has prepared changes. */
export type Status = (typeof statuses)[number];

const statuses = ['all', 'published', 'modified', 'draft'] as const;

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
  isUntranslated: false,
  filters: [],
};

/** The state that the query string of an address describes; what it does not understand is left out. */
export function parseListState(search: string): ListState {
  const parameters = new URLSearchParams(search);
  const number = (name: 'page' | 'pageSize'): number => {
    const value = Number(parameters.get(name));
    return Number.isSafeInteger(value) && value > 0 ? value : firstPage[name];
  };
  return {
    page: number('page'),
    pageSize: pageSizes.includes(number('pageSize')) ? number('pageSize') : firstPage.pageSize,
    sort: parameters.get('sort') ?? firstPage.sort,
    search: parameters.get('search') ?? '',
    status: statuses.find((status) => status === parameters.get('status')) ?? firstPage.status,
    locale: parameters.get('locale') ?? '',
    isUntranslated: parameters.has('untranslated'),
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
  if (state.isUntranslated) parameters.set('untranslated', '');
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

/** How entries can be filtered by an attribute; values of JSON, components and files cannot be compared. */
export function operatorsOf(attribute: Attribute): readonly Operator[] {
  if (attribute.type === 'relation') return operatorsByKind.relation;
  const kind = isScalar(attribute) ? listedTypes[attribute.type].filtered : undefined;
  return kind === undefined ? [] : operatorsByKind[kind];
}

/** The operator of a filter; addresses that were kept may compare the title of a related entry as a text. */
export const operatorOf = (attribute: Attribute, name: string): Operator | undefined =>
  [...operatorsOf(attribute), ...(attribute.type === 'relation' ? operatorsByKind.text : [])].find(
    (operator) => operator.name === name,
  );

/** Whether the operand of a filter is the ids of related entries. */
export const namesEntries = ({ label }: Operator): boolean => label === 'related' || label === 'relatedToOne';

/** The ids in an operand. */
export const idsIn = (operand: string): readonly number[] =>
  operand
    .split(',')
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0);

/** The attributes that a list can be filtered by. */
export const filterable = ({ attributes }: ContentType): readonly Attribute[] =>
  attributes.filter(
    (attribute) =>
      attribute.read && operatorsOf(attribute).length > 0 && !(attribute.type === 'relation' && attribute.morph),
  );

/** Lists can be sorted by plain values. */
export const isSortable = (attribute: Attribute): boolean =>
  isScalar(attribute) && listedTypes[attribute.type].isColumn === true;

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
