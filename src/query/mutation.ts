import type { ContentType, MorphAttribute, RelationAttribute } from '../content-types/model/types.js';

/** A value in its stored form: casts are done, components have ids. */
export type StoredValue =
  string | number | bigint | boolean | Date | readonly StoredValue[] | { readonly [name: string]: StoredValue };

/**
 * References without a separate index: those of components, zones, morphs and media. `a` is the path
 * with the ids of components in it (`blocks.14.file`), `r` the target (`plugin::upload.file:7`).
 */
export interface Reference {
  readonly a: string;
  readonly r: string;
  /** Of a morph relation: the rank at which it was linked. Without a rank it is older than all others. */
  readonly n?: number;
}

/** A unique value inside a component: `a` is its path as in a reference, `k` the unique key. */
export interface UniqueKey {
  readonly a: string;
  readonly k: string;
}

/**
 * A decision about the links of an attribute, so that recovery overwrites nothing newer: `n` is a number that grows
 * with each write, `r` the target of the link as references name it, or its id; without a target it is about all links.
 */
export interface Mark {
  readonly a: string;
  readonly r?: number | string;
  readonly n: number;
  /** The target in whose order it gave the entry a position. */
  readonly p?: number;
}

/**
 * Changes of the references or unique keys of an entry. The longest matching path in `paths` decides whether a reference
 * stays; then those in `remove` are removed and those in `add` are added.
 */
export interface Replacement<T> {
  readonly paths: readonly { readonly path: string; readonly keep: boolean }[];
  readonly remove: readonly T[];
  readonly add: readonly T[];
}

/** The position of an entry in a relation; `otherwise` applies if its anchor is not linked. */
export type Position =
  | { readonly at: 'start' | 'end' }
  | { readonly at: 'before' | 'after'; readonly id: number; readonly otherwise?: 'end' };

/** The change of a relation on the side that stores it. */
export interface LinkChange {
  /** Remove all links first. */
  readonly replaces: boolean;
  /** Removed first; an entry that is also connected is added again, at its new position. */
  readonly disconnect: readonly number[];
  /** Placed in order, except those that another one needs before: see `chainsOf`. A localization has its locale. */
  readonly connect: readonly { readonly id: number; readonly position: Position; readonly locale?: string }[];
}

/** Stored beside the id of a relation: its rank, see `isRanked`; for a localization its locale. */
export type Rank = number | string;

/** A change of a top-level relation. */
export interface Links extends LinkChange {
  readonly attribute: RelationAttribute;
  /** The rank of each connected id; empty if there are none. A linked id keeps its rank, see `isExclusive`. */
  readonly ranks: readonly Rank[];
}

/** Changes of the component with this id. */
export interface KeptComponent {
  readonly kind: 'merge';
  readonly id: number;
  /** In a zone: the required component type. */
  readonly uid: string | undefined;
  readonly changes: ReadonlyMap<string, ValueChange>;
}

/** A written component: a new one, or changes of an existing one. */
export type ComponentWrite = { readonly kind: 'new'; readonly value: StoredValue } | KeptComponent;

/** The change of one value inside a component; `undefined` clears it. */
export type ValueChange =
  | { readonly kind: 'value'; readonly value: StoredValue | undefined }
  | { readonly kind: 'links'; readonly many: boolean; readonly change: LinkChange }
  | { readonly kind: 'component'; readonly component: ComponentWrite }
  | { readonly kind: 'components'; readonly components: readonly ComponentWrite[] }
  /** Changes some components of a list; the others stay unchanged, at their positions. */
  | { readonly kind: 'someComponents'; readonly components: readonly KeptComponent[] };

/** All that changes in one entry; `undefined` clears. */
export interface Changes {
  readonly values: ReadonlyMap<string, StoredValue | undefined>;
  /** Attributes that keep components they have; they are changed in the database. */
  readonly merges: ReadonlyMap<string, ValueChange>;
  readonly links: readonly Links[];
  readonly references: Replacement<Reference>;
  readonly uniqueKeys: Replacement<UniqueKey>;
  /**
   * Beside values that localizations share, by name, a number that grows with each write: a value stays where it was
   * written with a higher one.
   */
  readonly stamps?: ReadonlyMap<string, number>;
  /** By relation that the other side stores, and whose links are replaced: a rank below that of each new link. */
  readonly sets?: ReadonlyMap<string, number>;
  /** The link decisions of the write, which also show recovery that it was done. */
  readonly marks?: readonly Mark[];
}

/** Owners of a relation: these, or all but these. */
export type Owners = { readonly only: readonly number[] } | { readonly except: readonly number[] };

/** A stored link of a morph relation. */
export interface MorphLink {
  readonly __type: string;
  readonly id: number;
}

export const isMorphLink = (target: number | MorphLink): target is MorphLink => typeof target !== 'number';

/** Every write there is. Each touches one content type and can be repeated without harm. */
export type Write =
  | { readonly kind: 'insert'; readonly type: ContentType; readonly id: number; readonly changes: Changes }
  | {
      readonly kind: 'update';
      readonly type: ContentType;
      readonly id: number;
      readonly changes: Changes;
      /** Only an entry that has no localizations is changed. */
      readonly alone?: boolean;
    }
  | { readonly kind: 'remove'; readonly type: ContentType; readonly id: number }
  /** Adds `target` to the relation of each owner, with its rank. */
  | {
      readonly kind: 'link';
      readonly type: ContentType;
      readonly attribute: RelationAttribute;
      readonly owners: readonly number[];
      readonly ranks: readonly Rank[];
      readonly target: number;
      /** A rank allocated for this write: later links have higher ranks, unless they have a position. */
      readonly reserved: number;
      /** They are the new list of the target's side, in its order: an owner that is linked gets its place in it. */
      readonly replaces?: true;
      /**
       * Of owners that come to a place in the order: the rank each had, null where it was not linked. Who was linked since
       * keeps the higher rank.
       */
      readonly seen?: readonly (number | null)[];
    }
  /** Of all owners of the target in a one-to-one relation, only the latest keeps it: the one with this rank or a higher one. */
  | {
      readonly kind: 'takeover';
      readonly type: ContentType;
      readonly attribute: RelationAttribute;
      readonly target: number;
      readonly rank: Rank;
    }
  /** Removes the targets from the relation of some owners. */
  | {
      readonly kind: 'unlink';
      readonly type: ContentType;
      readonly attribute: RelationAttribute;
      readonly targets: readonly number[];
      readonly owners: Owners;
      /** For one target that its own side disconnects: a rank allocated for the write. Missing in records of former versions. */
      readonly rank?: number;
    }
  /** Removes the target from all owners that were linked before its side was last replaced. */
  | {
      readonly kind: 'release';
      readonly type: ContentType;
      readonly attribute: RelationAttribute | MorphAttribute;
      readonly target: number | MorphLink;
      /** The target, and its attribute whose links are replaced. */
      readonly side: { readonly collection: string; readonly id: number; readonly name: string };
      /** Only links with this rank or a higher one: those that a write made late. */
      readonly from?: number;
    }
  /** Sets the target of each owner's morph relation. */
  | {
      readonly kind: 'attach';
      readonly type: ContentType;
      readonly attribute: MorphAttribute;
      readonly owners: readonly number[];
      readonly target: MorphLink;
      /** When it was linked; records of former versions have none. */
      readonly rank?: number;
    }
  /** Removes a target from the morph relation of some owners. */
  | {
      readonly kind: 'detach';
      readonly type: ContentType;
      readonly attribute: MorphAttribute;
      readonly target: MorphLink;
      readonly owners: Owners;
      /** Allocated for the write; records of former versions have none. */
      readonly rank?: number;
    }
  /** Copies the latest of these shared values to all localizations of an entry; with `links`, also links them to each other. */
  | {
      readonly kind: 'share';
      readonly type: ContentType;
      readonly id: number;
      readonly names: readonly string[];
      readonly links: boolean;
      /** The source of values that have no number, because they were written by a former version. */
      readonly from: number;
      /** The time of the write, for all localizations. */
      readonly at: Date;
    }
  /** Removes a target from all components, zones, morphs and media fields of a type. */
  | { readonly kind: 'forget'; readonly type: ContentType; readonly target: ContentType; readonly id: number };

/** The unique key of a value inside a component. */
export const uniqueKey = (component: string, name: string, value: StoredValue): string =>
  `${component}.${name}=${value instanceof Date ? value.toISOString() : String(value)}`;

/**
 * The path of a component as references and unique keys name it. Ids are unique among the components of one kind, as in
 * Strapi v4: only a zone has components of several kinds, so the kind is part of its paths.
 */
export const componentPath = (around: string, id: number, zone: string | undefined): string =>
  zone === undefined ? `${around}.${id}` : `${around}.${zone}:${id}`;
