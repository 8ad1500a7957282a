import type { Model } from './model.js';
import type { EntryQuery, Filters } from './query.js';

/**
 * The parameters of the change feed; `types`, `filters`, `fields` and `populate` use names of content types in paths.
 */
export interface ChangesQuery<C extends { readonly [N in keyof C]: Model }> {
  /** The position after which it begins; without it: now. */
  readonly since?: string;
  /** Seconds to wait for a change, at most 25, the default. */
  readonly wait?: number;
  readonly types?: readonly (keyof C & string)[];
  readonly filters?: { readonly [N in keyof C]?: Filters<C[N]> };
  readonly fields?: { readonly [N in keyof C]?: EntryQuery<C[N]>['fields'] };
  readonly populate?: { readonly [N in keyof C]?: EntryQuery<C[N]>['populate'] };
  readonly publicationState?: 'live' | 'preview';
  readonly locale?: string;
}

/** A change of what the client may see. */
export interface Change {
  readonly position: string;
  /** `entry.delete` also if it is not shown any more. */
  readonly event: 'entry.create' | 'entry.update' | 'entry.delete';
  readonly uid: string;
  readonly id: number;
  readonly createdAt: string;
  /** As it is now, if `fields` or `populate` has a value for its type. */
  readonly entry?: { readonly id: number; readonly attributes: Readonly<Record<string, unknown>> };
}

export interface ChangesRead {
  readonly data: readonly Change[];
  /** The position to go on from. */
  readonly meta: { readonly position: string };
}
