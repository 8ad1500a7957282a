import type { Model, RelationInput } from './model.js';
import type { Entry, NewEntry } from './response.js';

type Collections<C> = {
  [N in keyof C]: C[N] extends Model ? (C[N]['kind'] extends 'collection' ? N : never) : never;
}[keyof C];

/** An entry that an earlier operation creates `as` this name. */
type Name = `$${string}`;

/** Input whose relations can name entries. */
type Named<T> = [RelationInput] extends [T]
  ? T | NonNullable<RelationInput<number | { readonly id: number } | Name>>
  : T extends readonly (infer E)[]
    ? readonly Named<E>[]
    : T extends object
      ? { [K in keyof T]: Named<T[K]> }
      : T;

interface Create<N, M extends Model> {
  readonly create: N;
  /** Later operations name the entry by this in their relations: `$name`. */
  readonly as?: string;
  readonly data: Named<NewEntry<M>>;
}

interface Update<N, M extends Model> {
  readonly update: N;
  readonly id: number;
  readonly data: Named<M['input']>;
  /** The `etag` of an answer: the batch is refused with status 412 if the entry has changed since. */
  readonly ifMatch?: string;
}

interface Delete<N> {
  readonly delete: N;
  readonly id: number;
  readonly ifMatch?: string;
}

/** One operation of a batch. */
export type BatchOperation<C> = {
  [N in Collections<C>]: C[N] extends Model ? Create<N, C[N]> | Update<N, C[N]> | Delete<N> : never;
}[Collections<C>];

/** The collection of an operation. */
type CollectionOf<O> = O extends
  { readonly create: infer N } | { readonly update: infer N } | { readonly delete: infer N }
  ? N
  : never;

/** The entries of a batch in the order of its operations, without relations. */
export interface BatchResponse<C, O extends readonly unknown[]> {
  readonly data: {
    readonly [I in keyof O]: C[Extract<CollectionOf<O[I]>, keyof C>] extends infer M extends Model
      ? Entry<M, object>
      : never;
  };
}
