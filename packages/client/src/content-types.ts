import type { Model } from './model.js';

/** The content types that a client knows, by their names in the API. */
export type Models<C> = { readonly [N in keyof C]: Model };

/** The names of those of a kind. */
export type NamesOf<C, Kind extends Model['kind']> = Extract<
  { [N in keyof C]: C[N] extends { readonly kind: Kind } ? N : never }[keyof C],
  string
>;

/** Refuses unknown names, to detect misspelt parameters. */
export type Exact<Q, All> = Q & { readonly [K in Exclude<keyof Q, keyof All>]: never };
