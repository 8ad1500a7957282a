import type { ContentType, MorphAttribute, RelationAttribute } from '../content-types/model/types.js';

/** A value in its stored form: casts are done, components have ids. */
export type StoredValue =
  string | number | bigint | boolean | Date | readonly StoredValue[] | { readonly [name: string]: StoredValue };

/**
 * What an entry leads to without an index of its own: through components, zones, morphs and media. `a` is the path
 * with the ids of components in it (`blocks.14.file`), `r` the target (`plugin::upload.file:7`).
 */
export interface Reference {
  readonly a: string;
  readonly r: string;
  /** Of a relation to any type: when it was linked, as a rank tells it. Without one it is older than all others. */
  readonly n?: number;
}

/** A unique value inside a component: `a` is its path as in a reference, `k` what must be unique. */
export interface UniqueKey {
  readonly a: string;
  readonly k: string;
}

/**
 * What becomes of the references or unique keys of an entry. Of those whose path is at or below one in `paths`, the
 * longest such path decides whether they stay; equal ones to `remove` go; then `add` comes.
 */
export interface Replacement<T> {
  readonly paths: readonly { readonly path: string; readonly keep: boolean }[];
  readonly remove: readonly T[];
  readonly add: readonly T[];
}

/** Where an entry comes in the order of a relation; `otherwise` when what it should stand beside is not linked. */
export type Position =
  | { readonly at: 'start' | 'end' }
  | { readonly at: 'before' | 'after'; readonly id: number; readonly otherwise?: 'end' };

/** What becomes of a relation on the side that stores it. */
export interface LinkChange {
  /** All that is linked goes first. */
  readonly replaces: boolean;
  /** These go first; one that is connected as well comes back, to its new place. */
  readonly disconnect: readonly number[];
  /** One after the other comes to its place, except for those that another needs before its turn: see `chainsOf`. Of a localization its locale is known. */
  readonly connect: readonly { readonly id: number; readonly position: Position; readonly locale?: string }[];
}

/** What is kept beside the id of a relation: its rank, see `isRanked`; of a localization its locale. */
export type Rank = number | string;

/** A change of a top-level relation. */
export interface Links extends LinkChange {
  readonly attribute: RelationAttribute;
  /** Beside each connected id, its rank; empty where there is none. A linked id keeps its own, see `isExclusive`. */
  readonly ranks: readonly Rank[];
}

/** Changes of the component with this id. */
export interface KeptComponent {
  readonly kind: 'merge';
  readonly id: number;
  /** In a zone: which component it has to be. */
  readonly uid: string | undefined;
  readonly changes: ReadonlyMap<string, ValueChange>;
}

/** A component as it is written: a new one, or changes of one that is there. */
export type ComponentWrite = { readonly kind: 'new'; readonly value: StoredValue } | KeptComponent;

/** What becomes of one value inside a component; `undefined` clears. */
export type ValueChange =
  | { readonly kind: 'value'; readonly value: StoredValue | undefined }
  | { readonly kind: 'links'; readonly many: boolean; readonly change: LinkChange }
  | { readonly kind: 'component'; readonly component: ComponentWrite }
  | { readonly kind: 'components'; readonly components: readonly ComponentWrite[] }
  /** Changes some components of a list, and leaves the others where and as they are. */
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
}

/** Entries that hold a relation: these, or all but these. */
export type Owners = { readonly only: readonly number[] } | { readonly except: readonly number[] };

/** A link of a morph relation, as it is stored. */
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
  /** Puts `target` into the relation of each owner, with what is kept beside it there. */
  | {
      readonly kind: 'link';
      readonly type: ContentType;
      readonly attribute: RelationAttribute;
      readonly owners: readonly number[];
      readonly ranks: readonly Rank[];
      readonly target: number;
      /** A rank that was given out for this write: those of later links are higher, unless they have a position. */
      readonly reserved: number;
      /**
       * Of owners that come to a place in the order: the rank each had, null where it was not linked. Who was linked since
       * keeps the higher rank.
       */
      readonly seen?: readonly (number | null)[];
    }
  /** Of all that hold the target in a relation of one to one, only the one that took it last keeps it: with this rank or a higher one. */
  | {
      readonly kind: 'takeover';
      readonly type: ContentType;
      readonly attribute: RelationAttribute;
      readonly target: number;
      readonly rank: Rank;
    }
  /** Takes the targets out of the relation of some owners. */
  | {
      readonly kind: 'unlink';
      readonly type: ContentType;
      readonly attribute: RelationAttribute;
      readonly targets: readonly number[];
      readonly owners: Owners;
    }
  /** Takes the target out of all owners that were linked before the links from its side were replaced last. */
  | {
      readonly kind: 'release';
      readonly type: ContentType;
      readonly attribute: RelationAttribute | MorphAttribute;
      readonly target: number | MorphLink;
      /** The target, and its attribute whose links are replaced. */
      readonly side: { readonly collection: string; readonly id: number; readonly name: string };
    }
  /** Lets the morph relation of each owner lead to a target. */
  | {
      readonly kind: 'attach';
      readonly type: ContentType;
      readonly attribute: MorphAttribute;
      readonly owners: readonly number[];
      readonly target: MorphLink;
      /** When it was linked; records of former versions have none. */
      readonly rank?: number;
    }
  /** Takes a target out of the morph relation of some owners. */
  | {
      readonly kind: 'detach';
      readonly type: ContentType;
      readonly attribute: MorphAttribute;
      readonly target: MorphLink;
      readonly owners: Owners;
    }
  /** Gives all localizations of an entry the latest of these shared values; with `links` they learn of each other, too. */
  | {
      readonly kind: 'share';
      readonly type: ContentType;
      readonly id: number;
      readonly names: readonly string[];
      readonly links: boolean;
      /** The localization whose values count where none was written since such values have numbers. */
      readonly from: number;
      /** When the entry was written: they count as written then, too. */
      readonly at: Date;
    }
  /** Takes a target out of all components, zones, morphs and media fields of a type. */
  | { readonly kind: 'forget'; readonly type: ContentType; readonly target: ContentType; readonly id: number };

/** What must be unique of a value inside a component. */
export const uniqueKey = (component: string, name: string, value: StoredValue): string =>
  `${component}.${name}=${value instanceof Date ? value.toISOString() : String(value)}`;

/**
 * The path of a component as references and unique keys name it. Ids are unique among the components of one kind, as in
 * Strapi v4: only a zone has components of several kinds beside each other, so there the kind belongs to the name.
 */
export const componentPath = (around: string, id: number, zone: string | undefined): string =>
  zone === undefined ? `${around}.${id}` : `${around}.${zone}:${id}`;

/** How a reference names its target. */
export const referenceTo = (target: ContentType, id: number): string => `${target.uid}:${id}`;

/** Top-level relations have an index of their own; media, like morphs and all in components, go through references. */
export const isIndexed = (attribute: RelationAttribute | MorphAttribute): attribute is RelationAttribute =>
  attribute.kind === 'relation' && attribute.side === 'owner' && !attribute.media;

/**
 * A relation with another side keeps a rank beside each id. Where the other side is a list, it is the order there; where
 * it leads to one, it tells which link is the latest.
 */
export const isRanked = ({ inverse }: RelationAttribute): boolean => inverse !== undefined;

/** One entry at most may hold what the relation leads to. A link that is made once more counts as a later one. */
export const isExclusive = ({ inverse, relation }: RelationAttribute): boolean =>
  inverse !== undefined && relation === 'oneToOne';
