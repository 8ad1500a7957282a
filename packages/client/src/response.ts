import type { Model } from './model.js';
import type { Deep, PopulateName } from './query.js';

/** The fields that a query's `fields` asks for. */
export type ChosenField<M extends Model, F> = F extends readonly (infer K)[]
  ? ChosenField<M, K>
  : F extends '*'
    ? keyof M['fields']
    : Extract<F, keyof M['fields']>;

/** The names in `populate`. */
export type PopulatedName<M extends Model, P> = P extends '*'
  ? PopulateName<M>
  : P extends string
    ? Extract<P, PopulateName<M>>
    : P extends readonly (infer K)[]
      ? PopulatedName<M, K>
      : Extract<{ [K in keyof P]: P[K] extends false | undefined ? never : K }[keyof P], PopulateName<M>>;

/** The parameters in `populate` for one name. */
export type NestedIn<P, K> = P extends string | readonly unknown[] ? unknown : K extends keyof P ? P[K] : unknown;

/** The attributes that a query is answered with. */
type Attributes<M extends Model, Q> = (Q extends { readonly fields: infer F }
  ? Pick<M['fields'], ChosenField<M, F>>
  : M['fields']) &
  (Q extends { readonly populate: infer P }
    ? P extends Deep
      ? { readonly [K in PopulateName<M>]?: Populated<M['populate'][K], { readonly populate: P }> }
      : { readonly [K in PopulatedName<M, P>]: Populated<M['populate'][K], NestedIn<P, K>> }
    : unknown);

type PartValue<M, Q> = M extends Model ? { readonly id: number } & Attributes<M, Q> : never;

/** The components of a zone; with `on` those that it names. */
type ZoneValue<Z, Q> = Q extends { readonly on: infer On }
  ? { [U in keyof Z & keyof On]: { readonly __component: U } & PartValue<Z[U], On[U]> }[keyof Z & keyof On]
  : { [U in keyof Z]: { readonly __component: U } & PartValue<Z[U], Q> }[keyof Z];

type Populated<P, Q> = P extends { readonly kind: 'zone'; readonly of: infer Z }
  ? readonly ZoneValue<Z, Q>[]
  : P extends { readonly kind: infer Kind; readonly of: infer M extends Model }
    ? Kind extends 'one'
      ? { readonly data: Entry<M, Q> | null }
      : Kind extends 'many'
        ? { readonly data: readonly Entry<M, Q>[] }
        : Kind extends 'files'
          ? { readonly data: readonly Entry<M, Q>[] | null }
          : Kind extends 'part'
            ? PartValue<M, Q> | null
            : readonly PartValue<M, Q>[]
    : unknown;

/** An entry, with the fields and relations that the query `Q` asks for. */
export interface Entry<M extends Model, Q = unknown> {
  readonly id: number;
  readonly attributes: Attributes<M, Q>;
}

export interface EntryResponse<M extends Model, Q, Data = Entry<M, Q>> {
  readonly data: Data;
  readonly meta: object;
  /** Identifies what a read answered with. */
  readonly etag?: string;
}

/** A single type may not be there yet. */
export type SingleRead<M extends Model, Q> = EntryResponse<M, Q, Entry<M, Q> | null>;

/** By page, or by offset if the query uses offsets; `next` if it uses a cursor. */
export interface Pagination {
  readonly page?: number;
  readonly pageSize?: number;
  readonly pageCount?: number;
  readonly start?: number;
  readonly limit?: number;
  readonly total?: number;
  /** Where the next page begins; null after the last one. */
  readonly next?: string | null;
}

export interface CountRead {
  readonly data: { readonly count: number };
}

export interface ListRead<M extends Model, Q> {
  readonly data: readonly Entry<M, Q>[];
  readonly meta: { readonly pagination: Pagination };
}

/** The attributes that a new entry must have. */
export type CompleteInput<M extends Model> = Required<Pick<M['input'], Extract<M['required'], keyof M['input']>>>;

/** The data of a new entry with all required attributes, unless it is a draft. */
export type NewEntry<M extends Model> = M['input'] &
  (CompleteInput<M> | (M['drafts'] extends true ? { readonly publishedAt: null } : never));

type WithoutKey<D, K extends PropertyKey> = D extends unknown ? Omit<D, K> : never;

/** The data of an entry that a key in the path completes. */
export type NewKeyedEntry<M extends Model, K extends PropertyKey> = WithoutKey<NewEntry<M>, K> &
  Partial<Pick<M['input'], Extract<keyof M['input'], K>>>;
