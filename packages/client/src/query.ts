import type { Comparisons } from './comparisons.js';
import type { Model } from './model.js';
import type { FilterParameters, ScopeParameters, StateParameters } from './parameters.js';

type Name<T> = Extract<keyof T, string>;
export type FieldName<M extends Model> = Name<M['fields']>;
export type PopulateName<M extends Model> = Name<M['populate']>;

/** The model of a relation, component or file. */
export type TargetOf<P> = P extends { readonly kind: 'zone' | 'anything' }
  ? never
  : P extends { readonly of: infer M }
    ? M
    : never;

export type FieldsParameter<M extends Model> = '*' | 'id' | FieldName<M> | readonly ('*' | 'id' | FieldName<M>)[];

/** Populates all levels, if the service enables it; `deep,3` populates two. */
export type Deep = 'deep' | `deep,${number}`;

type PopulateParameter<M extends Model> =
  | '*'
  | Deep
  | PopulateName<M>
  | readonly PopulateName<M>[]
  | { readonly [K in PopulateName<M>]?: boolean | Nested<M['populate'][K]> };

/** The returned fields and populated attributes. */
interface Selection<M extends Model> {
  readonly fields?: FieldsParameter<M>;
  readonly populate?: PopulateParameter<M>;
}

interface Related<M extends Model> extends Selection<M>, StateParameters, ScopeParameters {
  readonly filters?: Filters<M>;
  readonly sort?: Sort<M>;
  readonly start?: number;
  readonly limit?: number;
}

/** The parameters of a populated attribute. */
type Nested<P> = P extends { readonly kind: 'zone'; readonly of: infer Z }
  ? {
      readonly populate?: '*';
      readonly on?: { readonly [U in keyof Z]?: boolean | (Z[U] extends Model ? Selection<Z[U]> : never) };
    }
  : TargetOf<P> extends infer M extends Model
    ? Related<M>
    : never;

type Value<V> = V | (V extends string ? Date : never);

interface Operators<V> extends Comparisons<Value<V>> {
  readonly $not?: Operators<V>;
}
export type Condition<V> = Value<V> | Operators<V>;

/** Conditions on the entries of a list and on related entries. */
export type Filters<M extends Model> = {
  readonly $and?: readonly Filters<M>[];
  readonly $or?: readonly Filters<M>[];
  readonly $not?: Filters<M>;
  readonly id?: Condition<number>;
} & { readonly [K in FieldName<M>]?: Condition<NonNullable<M['fields'][K]>> } & {
  readonly [K in PopulateName<M>]?: M['populate'][K] extends { readonly kind: 'zone'; readonly of: infer Z }
    ? { readonly $on: { readonly [U in keyof Z]?: Z[U] extends Model ? Filters<Z[U]> : never } }
    : TargetOf<M['populate'][K]> extends infer T extends Model
      ? Filters<T>
      : never;
};

type Direction = '' | ':asc' | ':desc';
type SortKey<M extends Model> = `${'id' | FieldName<M>}${Direction}` | `${PopulateName<M>}.${string}`;
export type Sort<M extends Model> = SortKey<M> | readonly SortKey<M>[];

/** The parameters of reads and writes of one entry. */
export interface EntryQuery<M extends Model> extends Selection<M>, ScopeParameters {}

/** The parameters of reads of one entry. */
export interface SingleQuery<M extends Model> extends EntryQuery<M>, StateParameters {}

type Keys<M> = M extends { readonly keys: infer K } ? K : never;
/** The attributes that an entry can be found by. */
export type KeyName<M extends Model> = Extract<Keys<M>, FieldName<M>>;

/** A value that identifies an entry. */
export type KeyValue<M extends Model, K> = NonNullable<M['fields'][K & keyof M['fields']]>;

/** The parameters of a count. */
export interface CountQuery<M extends Model> extends FilterParameters, StateParameters, ScopeParameters {
  readonly filters?: Filters<M>;
}

/** The parameters of lists. */
export interface ListQuery<M extends Model> extends SingleQuery<M>, FilterParameters {
  readonly filters?: Filters<M>;
  readonly sort?: Sort<M>;
  readonly pagination?:
    | { readonly page?: number; readonly pageSize?: number; readonly withCount?: boolean }
    | { readonly start?: number; readonly limit?: number; readonly withCount?: boolean }
    /** After an entry: `meta.pagination.next` of the page before, an empty text for the first. */
    | { readonly after: string; readonly pageSize?: number; readonly withCount?: boolean };
}

type Pair = readonly [name: string, value: string];

/** A query as Strapi v4's query string writes it: `filters[author][name][$eq]=Ida&populate[0]=author`. */
export function encodeQuery(query: object): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => pairsOf(name, value));
  return pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
}

function pairsOf(name: string, value: unknown): readonly Pair[] {
  if (value === undefined || value === null) return [];
  if (value instanceof Date) return [[name, value.toISOString()]];
  if (typeof value !== 'object') return [[name, String(value)]];
  const parts = Object.entries(value);
  // A relation that is populated with nothing more to say would be lost.
  if (parts.length === 0 && name.startsWith('populate[')) return [[name, 'true']];
  return parts.flatMap(([key, part]) => pairsOf(`${name}[${key}]`, part));
}
