import type { ScalarValue } from '../content-types/model/attribute-types.js';
import type {
  Attribute,
  ComponentAttribute,
  ContentType,
  MorphAttribute,
  MorphedAttribute,
  RelationAttribute,
  ScalarAttribute,
  ZoneAttribute,
} from '../content-types/model/types.js';
import type { Operator } from './operators.js';

/** The id of an entry or component, which every type has beside its attributes. */
export interface IdAttribute {
  readonly kind: 'id';
  readonly name: 'id';
}

/** What can be compared and sorted by. */
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
  | Comparison
  /** Some entry that the relation leads to matches, or the relation is empty and `filter` holds for a row of nulls. */
  | {
      readonly kind: 'related';
      readonly attribute: AnyRelation;
      readonly filter: Filter;
      /** Drafts that the relation leads to are ignored, as if they did not exist. */
      readonly liveOnly?: true;
    }
  | { readonly kind: 'component'; readonly attribute: ComponentAttribute; readonly filter: Filter }
  /** Published entries only; all entries of a type without drafts. */
  | { readonly kind: 'live' }
  /** The text stands in one of the values, in any case of letters; in numbers as they are written. */
  | { readonly kind: 'search'; readonly text: string; readonly fields: readonly Field[] }
  /** It leads to one of these entries through components, zones, morphs or media. */
  | { readonly kind: 'refers'; readonly to: ContentType; readonly ids: readonly number[] }
  /** Nothing matches: an operand that no value of the type can equal. */
  | { readonly kind: 'never' };

export interface SortKey {
  /** Through to-one relations and single components to the field; empty for a field of the entry itself. */
  readonly through: readonly (RelationAttribute | ComponentAttribute)[];
  readonly field: Field;
  readonly direction: 'ascending' | 'descending';
  /** Drafts of these types on the way are ignored, as if they did not exist. */
  readonly liveOnly?: ReadonlySet<ContentType>;
}

/** What is read of an entry or component: its own values and what is fetched into it. */
export interface Selection {
  readonly fields: readonly ScalarAttribute[];
  readonly populate: readonly PopulateNode[];
  /** The other localizations of an entry are wanted as `{ id, locale }`: all that it stores, or those that a node finds. */
  readonly availableLocales?: true | RelationNode;
}

/** `undefined`: imposed by nobody, the level above decides. */
export type PublicationState = 'live' | 'preview' | undefined;

/** What is read of the entries that a relation leads to. */
export interface RelatedQuery extends Selection {
  readonly filter: Filter | undefined;
  readonly sort: readonly SortKey[];
  /** Per parent. */
  readonly start: number;
  readonly limit: number | undefined;
  readonly publicationState: PublicationState;
  /** Their number is wanted, not they. */
  readonly count: boolean;
}

/** One populated attribute; `key` is its name in the answer. */
export type PopulateNode =
  | {
      readonly kind: 'relation';
      readonly key: string;
      readonly attribute: AnyRelation;
      readonly query: RelatedQuery;
      /** Whoever asks may see it: the relations of components in Strapi v4's GraphQL API, as recorded. */
      readonly open?: true;
    }
  /** By uid of the type: entries of other types are left out. */
  | {
      readonly kind: 'morph';
      readonly key: string;
      readonly attribute: MorphAttribute;
      readonly on: ReadonlyMap<ContentType, RelatedQuery>;
    }
  | {
      readonly kind: 'component';
      readonly key: string;
      readonly attribute: ComponentAttribute;
      readonly selection: ComponentSelection;
    }
  /** By uid of the component: components without a selection are left out. */
  | {
      readonly kind: 'zone';
      readonly key: string;
      readonly attribute: ZoneAttribute;
      readonly on: ReadonlyMap<string, ComponentSelection>;
    };

export type RelationNode = Extract<PopulateNode, { readonly kind: 'relation' }>;

/** Components can be filtered, sorted and cut within their entry; in a zone each kind by itself. */
export interface ComponentSelection extends Selection {
  readonly filter: Filter | undefined;
  readonly sort: readonly SortKey[];
  readonly start: number;
  readonly limit: number | undefined;
}

/** A place in a sorted list: the values of an entry's sort keys, and its id. Empty: before the first. */
export type Cursor = readonly (ScalarValue | null)[];

/** Which slice of a list; `form` is how the client counts: it gets `meta.pagination` in the same form. */
export interface Pagination {
  readonly form: 'page' | 'offset';
  /** The page that the client asked for, where that is its form: it may lie beyond every `start`. */
  readonly page?: number;
  readonly start: number;
  readonly limit: number;
  readonly withCount: boolean;
  /** The slice begins after this place, in place of a number; the client learns where the next one begins. */
  readonly after?: Cursor;
}

/** A read of one content type. */
export interface Query extends Selection {
  readonly type: ContentType;
  readonly filter: Filter | undefined;
  readonly sort: readonly SortKey[];
  readonly pagination: Pagination;
  readonly publicationState: PublicationState;
  /** What the client wrote as `locale`, whatever it is: the i18n plugin parses it, nothing else reads it. */
  readonly locale: unknown;
}

export const id: IdAttribute = { kind: 'id', name: 'id' };

/** Both conditions; an absent one holds always. */
export function both(first: Filter | undefined, second: Filter | undefined): Filter | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const filters = [first, second].flatMap((filter) => (filter.kind === 'and' ? filter.filters : [filter]));
  return { kind: 'and', filters };
}

export const isScalar = (attribute: Attribute): attribute is ScalarAttribute => attribute.kind === 'scalar';

/** A list of which nothing is left out. */
export const everything = { filter: undefined, sort: [], start: 0, limit: undefined } as const;
