import type { DocumentListQuery } from './documents.js';
import type { Model } from './model.js';
import type { DatePart, MeasureFunction } from './parameters.js';
import type { Condition, CountQuery, FieldName, PopulateName, TargetOf } from './query.js';
import type { Pagination } from './response.js';

/** A value of the entries, or through relations and components. */
type Path<M extends Model> = 'id' | FieldName<M> | `${PopulateName<M>}.${string}`;
/** A value, or a part of a date or time. */
type Key<M extends Model> = Path<M> | `${Path<M>}:${DatePart}`;

type OneOrMany<T> = T | readonly T[];

/** The parameters of groups: those of a count, and what groups its entries. */
export type AggregateQuery<M extends Model> = CountQuery<M> & Grouping<M>;

/** In the format of Strapi 5. */
export type DocumentAggregateQuery<M extends Model> = Omit<
  DocumentListQuery<M>,
  keyof Grouping<M> | 'fields' | 'populate'
> &
  Grouping<M>;

/** Keys, measures, and conditions, sort and pages of the groups. */
type Grouping<M extends Model> = {
  readonly groupBy?: OneOrMany<Key<M>>;
  /** Conditions on `count` and on measures, by their functions and paths. */
  readonly having?: { readonly count?: Condition<number> } & {
    readonly [F in MeasureFunction]?: { readonly [path: string]: Condition<string | number | boolean> };
  };
  /** `count`, a key, or a measure such as `avg.rating`; then by all keys. */
  readonly sort?: OneOrMany<string>;
  readonly pagination?:
    | { readonly page?: number; readonly pageSize?: number; readonly withCount?: boolean }
    | { readonly start?: number; readonly limit?: number; readonly withCount?: boolean };
  /** Where days begin, e.g. `Europe/Berlin`. Default: UTC. */
  readonly timeZone?: string;
} & { readonly [F in MeasureFunction]?: OneOrMany<Path<M>> };

/** What a parameter of the query names. */
type Named<Q, Parameter> = Parameter extends keyof Q
  ? Q[Parameter] extends OneOrMany<infer Name extends string>
    ? Name
    : never
  : never;

/** The value at a path. */
type ValueAt<M, P> = M extends Model
  ? P extends 'id'
    ? number
    : P extends keyof M['fields']
      ? NonNullable<M['fields'][P]>
      : P extends `${infer Step}.${infer Below}`
        ? Step extends keyof M['populate']
          ? ValueAt<TargetOf<M['populate'][Step]>, Below>
          : unknown
        : unknown
  : unknown;

type KeyPath<K> = K extends `${infer P}:${string}` ? P : K;
type KeyValue<M, K> = K extends `${string}:${string}` ? string : ValueAt<M, K>;

/** A sum of a `biginteger` is a string of digits, as its values are; an average is the nearest number. */
type Result<F, V> = F extends 'countDistinct'
  ? number
  : F extends 'sum'
    ? V
    : F extends 'avg'
      ? number | null
      : V | null;

/** One group, with the keys and measures that the query `Q` asks for. */
export type Group<M extends Model, Q> = {
  readonly key: { readonly [K in Named<Q, 'groupBy'> as KeyPath<K> & string]: KeyValue<M, K> | null };
  readonly count: number;
} & {
  readonly [F in MeasureFunction as F extends keyof Q ? F : never]: {
    readonly [P in Named<Q, F>]: Result<F, ValueAt<M, P>>;
  };
};

export interface AggregateRead<M extends Model, Q> {
  readonly data: readonly Group<M, Q>[];
  readonly meta: {
    readonly pagination: Omit<Pagination, 'next'>;
    /** Keys that an entry can have several values of, so that it is in several groups. */
    readonly overlapping?: readonly string[];
  };
}
