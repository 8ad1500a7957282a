import type { ComponentPath } from '../content-types/model/component-paths.js';
import type { ScalarValue } from '../content-types/model/attribute-types.js';
import type {
  Attribute,
  Component,
  ComponentAttribute,
  ContentType,
  MorphAttribute,
  MorphedAttribute,
  ParameterValues,
  RelationAttribute,
  ScalarAttribute,
  ZoneAttribute,
} from '../content-types/model/types.js';
import type { DatePart, MeasureFunction } from './measures.js';
import type { Operator } from './operators.js';

/** The id of an entry or component, which every type has beside its attributes. */
interface IdAttribute {
  readonly kind: 'id';
  readonly name: 'id';
}

/** The fields that can be filtered and sorted by. */
export type Field = ScalarAttribute | IdAttribute;

/** A condition on one value. `operands` are cast to the attribute's type; `$in` and `$between` have several. */
export interface Comparison {
  readonly kind: 'comparison';
  readonly field: Field;
  readonly operator: Operator;
  readonly operands: readonly ScalarValue[];
}

/** A relation that a filter or a sort may go through. */
export type AnyRelation = RelationAttribute | MorphedAttribute;

/** A condition on the entries of one content type. Names are resolved, values cast: valid by construction. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly kind: 'not'; readonly filter: Filter }
  /** All entries that do not match, also those for which `filter` is neither true nor false. */
  | { readonly kind: 'except'; readonly filter: Filter }
  | Comparison
  /** Some related entry matches, or the relation is empty and `filter` matches a row of nulls. */
  | {
      readonly kind: 'related';
      readonly attribute: AnyRelation;
      readonly filter: Filter;
      /** Related entries that do not match it are ignored, as if they did not exist. */
      readonly only?: Filter;
      /** The latest state of related entries decides. */
      readonly latest?: true;
    }
  | { readonly kind: 'component'; readonly attribute: ComponentAttribute; readonly filter: Filter }
  /** A component of this type in the zone matches, or there is none and `filter` matches a row of nulls. */
  | { readonly kind: 'zone'; readonly attribute: ZoneAttribute; readonly component: Component; readonly filter: Filter }
  /** Published entries only; all entries of a type without drafts. */
  | { readonly kind: 'live' }
  /** Published entries of this type that have a working copy: in that of a draft only shared values wait. */
  | { readonly kind: 'copied'; readonly type: ContentType }
  /** One of the values contains the string, ignoring case; numbers are compared as text. */
  | { readonly kind: 'search'; readonly text: string; readonly fields: readonly Field[] }
  /**
   * The entry refers to one of these entries through components, zones, morphs or media; with `by` through this
   * attribute.
   */
  | { readonly kind: 'refers'; readonly to: ContentType; readonly ids: readonly number[]; readonly by?: string }
  /** Entries in the first of these locales in which their group has an entry that matches `visible`. */
  | {
      readonly kind: 'fallback';
      readonly type: ContentType;
      readonly locales: readonly string[];
      /** Undefined: every entry does. */
      readonly visible: Filter | undefined;
      /** The latest state of the entries decides. */
      readonly latest?: true;
    }
  /** Matches nothing: no value of the type can equal the operand. */
  | { readonly kind: 'never' };

/** Where values are that a list is sorted or grouped by. */
export interface ValuePath {
  /** Through relations and components to the field; empty for a field of the entry itself. */
  readonly through: readonly (RelationAttribute | ComponentAttribute)[];
  readonly field: Field;
  /** By content type: entries on the way that do not match are ignored, as if they did not exist. */
  readonly only?: ReadonlyMap<ContentType, Filter>;
  /** The content types on the way whose entries are sorted by in their latest state. */
  readonly latest?: ReadonlySet<ContentType>;
}

export interface SortKey extends ValuePath {
  readonly direction: 'ascending' | 'descending';
  /** Sorts by the place of the value among these; all others come before the first. */
  readonly among?: readonly ScalarValue[];
}

/** The selected values of an entry or component, and its populated attributes. */
export interface Selection {
  readonly fields: readonly ScalarAttribute[];
  /** Those that the request names; absent if it takes all. */
  readonly requestedFields?: readonly ScalarAttribute[];
  readonly populate: readonly PopulateNode[];
  /**
   * The other localizations of an entry are wanted as `{ id, locale }`: all that it stores, or those that a node finds.
   */
  readonly availableLocales?: true | RelationNode;
}

/** With its filter, sort and groups, if it has them. */
export type AnySelection = Selection & Partial<Pick<Query, 'filter' | 'sort' | 'aggregate'>>;

/** What entries are grouped by: an entry is in the group of each of its values, or of null if it has none. */
export interface GroupKey {
  /** As the request writes it: `author.name`. */
  readonly name: string;
  readonly path: ValuePath;
  /** It goes by this part of a date or time; absent: by the values themselves. */
  readonly part?: DatePart;
}

/** What is computed of the values in a group. */
export interface Measure {
  readonly function: MeasureFunction;
  /** As the request writes it: `views`. */
  readonly name: string;
  readonly path: ValuePath;
}

/** What groups are sorted by: the number of their entries, or a key or measure by its index. */
export interface GroupSort {
  readonly by: 'count' | { readonly key: number } | { readonly measure: number };
  readonly direction: SortKey['direction'];
}

/**
 * Groups of the entries of a list, which are answered in place of these: one for each combination of keys that some
 * entry has, and one of all entries if there are no keys. Keys that go through the same list of components or related
 * entries mean the same one of them.
 */
export interface Aggregate {
  readonly keys: readonly GroupKey[];
  readonly measures: readonly Measure[];
  /** On the groups: on `count`, and on the measures by the names of their fields. */
  readonly having: Filter | undefined;
  /** Then by all keys. */
  readonly sort: readonly GroupSort[];
  /** In which moments are in a day: a name of the IANA database, or an offset such as `+02:00`. */
  readonly timeZone: string;
}

/** The field of a group for a measure, by its index. */
export const measureField = (index: number): string => `m${index}`;

/** The field of a group for a key, by its index. */
export const keyField = (index: number): string => `k${index}`;

/** The field of a group for the number of its entries. */
export const COUNT = 'count';

/** The paths of keys and measures. */
export const pathsOf = ({ keys, measures }: Aggregate): readonly ValuePath[] =>
  [...keys, ...measures].map(({ path }) => path);

/** An aggregate with what becomes of its paths. */
export const mapPaths = (aggregate: Aggregate, map: (path: ValuePath) => ValuePath): Aggregate => ({
  ...aggregate,
  keys: aggregate.keys.map((key) => ({ ...key, path: map(key.path) })),
  measures: aggregate.measures.map((measure) => ({ ...measure, path: map(measure.path) })),
});

/** Whether an attribute on a path leads to several components or entries. */
export const isList = (step: ValuePath['through'][number]): boolean =>
  step.kind === 'component' ? step.repeatable : step.many;

/**
 * Which entries a level shows: published ones; in a preview also drafts, and what is prepared of published ones; or
 * drafts too, but no more than is stored of them. `undefined`: those of the level above.
 */
export type PublicationState = 'live' | 'preview' | 'stored' | undefined;

/** The state of a level below another one: in a preview all that shows drafts is one, too. */
export const stateBelow = (above: PublicationState, own: PublicationState): PublicationState =>
  own === undefined || (own === 'stored' && above === 'preview') ? above : own;

/** Components can be filtered, sorted and sliced within their entry; in a zone each kind separately. */
export interface ComponentSelection extends Selection {
  readonly filter: Filter | undefined;
  readonly sort: readonly SortKey[];
  readonly start: number;
  readonly limit: number | undefined;
}

/** The read of related entries, which are sliced per parent. */
export interface RelatedQuery extends ComponentSelection {
  readonly publicationState: PublicationState;
  /** As in `Query`. */
  readonly latest?: true;
  /** Return their number instead of the entries. */
  readonly count: boolean;
  /** Absent: it has none. */
  readonly parameters?: ParameterValues;
}

/** One populated attribute; `key` is its name in the answer. */
export type PopulateNode =
  | {
      readonly kind: 'relation';
      readonly key: string;
      readonly attribute: AnyRelation;
      readonly query: RelatedQuery;
      /** Readable without a permission: the relations of components in Strapi v4's GraphQL API, as recorded. */
      readonly needsNoPermission?: true;
    }
  /** By uid of the type: entries of other types are left out. */
  | {
      readonly kind: 'morph';
      readonly key: string;
      readonly attribute: MorphAttribute;
      readonly on: ReadonlyMap<ContentType, RelatedQuery>;
      /** The caller may not read some of the entries: a list without any is left out as if it led to none. */
      readonly narrowed?: true;
    }
  | {
      readonly kind: 'component';
      readonly key: string;
      readonly attribute: ComponentAttribute;
      readonly selection: ComponentSelection;
      /** Return their number instead of the components. */
      readonly count?: true;
    }
  /** By uid of the component: components without a selection are left out. */
  | {
      readonly kind: 'zone';
      readonly key: string;
      readonly attribute: ZoneAttribute;
      readonly on: ReadonlyMap<string, ComponentSelection>;
      /** Return their number instead of the components. */
      readonly count?: true;
    };

export type RelationNode = Extract<PopulateNode, { readonly kind: 'relation' }>;
export type ComponentNode = Extract<PopulateNode, { readonly kind: 'component' }>;

/** A place in a sorted list: the values of an entry's sort keys, and its id. Empty: before the first. */
export type Cursor = readonly (ScalarValue | null)[];

/** The largest limit that MongoDB accepts: all entries. */
export const NO_LIMIT = 2_147_483_647;

/** Which slice of a list; `form` is how the client counts: it gets `meta.pagination` in the same form. */
export interface Pagination {
  readonly form: 'page' | 'offset';
  /** The requested page number, in this form of pagination: it may be beyond any valid `start`. */
  readonly page?: number;
  /** An integer, which may be beyond 2^53. */
  readonly start: number;
  readonly limit: number;
  readonly withCount: boolean;
  /** The slice begins after this place, in place of a number; the client learns where the next one begins. */
  readonly after?: Cursor;
}

export interface Query extends Selection {
  readonly type: ContentType;
  /** Reads the components at these paths instead of entries; `type` describes them. */
  readonly componentPaths?: readonly ComponentPath[];
  readonly filter: Filter | undefined;
  readonly sort: readonly SortKey[];
  readonly pagination: Pagination;
  readonly publicationState: PublicationState;
  /** Entries are read in their latest state: where they have a working copy, as that. */
  readonly latest?: true;
  /** Only entries that have a working copy are read, as that. */
  readonly modified?: true;
  /** Its entries are grouped: `pagination` is that of the groups, and nothing is selected. */
  readonly aggregate?: Aggregate;
  readonly parameters: ParameterValues;
}

export const id: IdAttribute = { kind: 'id', name: 'id' };

/**
 * A populated attribute with what becomes of its selections: those of related entries, by their type, and those of
 * components.
 */
export function mapNode(
  node: PopulateNode,
  related: (query: RelatedQuery, type: ContentType) => RelatedQuery,
  components: (selection: ComponentSelection) => ComponentSelection,
): PopulateNode {
  switch (node.kind) {
    case 'relation':
      return { ...node, query: related(node.query, node.attribute.target) };
    case 'morph':
      return { ...node, on: new Map([...node.on].map(([type, query]) => [type, related(query, type)])) };
    case 'component':
      return { ...node, selection: components(node.selection) };
    case 'zone':
      return { ...node, on: new Map([...node.on].map(([uid, selection]) => [uid, components(selection)])) };
    default:
      return node satisfies never;
  }
}

/**
 * A selection with what becomes of the queries of related entries, also of those in components; each decides about what
 * is below it.
 */
export const mapRelated = <S extends Selection>(
  selection: S,
  change: (query: RelatedQuery, type: ContentType, node: PopulateNode) => RelatedQuery,
): S => ({
  ...selection,
  populate: selection.populate.map((node) =>
    mapNode(
      node,
      (query, type) => change(query, type, node),
      (components) => mapRelated(components, change),
    ),
  ),
});

/**
 * The filters within a filter: those that `and` joins, what `not` negates, the condition on components or related
 * entries.
 */
export function partsOfFilter(filter: Filter): readonly Filter[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters;
    case 'not':
    case 'except':
    case 'related':
    case 'component':
    case 'zone':
      return [filter.filter];
    case 'comparison':
    case 'live':
    case 'copied':
    case 'search':
    case 'refers':
    case 'fallback':
    case 'never':
      return [];
    default:
      // Rights are checked by this walk: a kind that leads further must not be passed over.
      return filter satisfies never;
  }
}

/** Whether a filter has conditions within dynamic zones, which Strapi v4's services do not know. */
export const hasZone = (filter: Filter): boolean => filter.kind === 'zone' || partsOfFilter(filter).some(hasZone);

/** The filter with what becomes of the filters within it. */
export function mapFilter(filter: Filter, map: (part: Filter) => Filter): Filter {
  if ('filters' in filter) return { ...filter, filters: filter.filters.map(map) };
  return 'filter' in filter ? { ...filter, filter: map(filter.filter) } : filter;
}

/** Both conditions; an absent one always matches. */
export function both(first: Filter | undefined, second: Filter | undefined): Filter | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const filters = [first, second].flatMap((filter) => (filter.kind === 'and' ? filter.filters : [filter]));
  return { kind: 'and', filters };
}

/** The condition that an entry has this id. */
export const idIs = (value: number): Filter => ({
  kind: 'comparison',
  field: id,
  operator: '$eq',
  operands: [value],
});

/** The condition that an entry has one of these ids. */
export const idIn = (values: readonly number[]): Filter => ({
  kind: 'comparison',
  field: id,
  operator: '$in',
  operands: values,
});

/** The condition that an entry is published; every entry of a type without drafts is. */
export const live: Filter = { kind: 'live' };

/** The condition that an entry is not published. */
export const draft: Filter = { kind: 'not', filter: live };

/** The condition of no entry. `never` is neither true nor false, so that its negation is met by none either. */
export const nothing: Filter = { kind: 'and', filters: [live, draft] };

/** The query, for the entry with this id. */
export const withId = (query: Query, value: number): Query => ({ ...query, filter: both(query.filter, idIs(value)) });

/** Whether an attribute is a single value: neither a relation nor a component, a zone or a morph. */
export const isScalar = (attribute: Attribute): attribute is ScalarAttribute => attribute.kind === 'scalar';

/** A list without filter, sort and limits. */
export const unbounded = { filter: undefined, sort: [], start: 0, limit: undefined } as const;
