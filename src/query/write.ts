import type { ContentType, MorphAttribute, RelationAttribute } from '../content-types/types.js';

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
}

/** A unique value inside a component: `a` is its path as in a reference, `k` what must be unique. */
export interface UniqueKey {
  readonly a: string;
  readonly k: string;
}

/** What changes in the references or unique keys of an entry: those at or below `paths` go, then `add` comes. */
export interface Replacement<T> {
  readonly paths: readonly string[];
  readonly add: readonly T[];
}

/** The ids of a relation on its owner's side, in order, and the rank that each gets in the other side's order. */
export interface Links {
  readonly attribute: RelationAttribute;
  readonly ids: readonly number[];
  /** Beside each id; empty where the other side has no order: it keeps its rank if it is linked already. */
  readonly ranks: readonly number[];
}

/** All that changes in one entry; `undefined` clears. */
export interface Changes {
  readonly values: ReadonlyMap<string, StoredValue | undefined>;
  readonly links: readonly Links[];
  readonly references: Replacement<Reference>;
  readonly uniqueKeys: Replacement<UniqueKey>;
}

/** Every write there is. Each touches one content type and can be repeated without harm. */
export type Write =
  | { readonly kind: 'insert'; readonly type: ContentType; readonly id: number; readonly changes: Changes }
  | { readonly kind: 'update'; readonly type: ContentType; readonly id: number; readonly changes: Changes }
  | { readonly kind: 'remove'; readonly type: ContentType; readonly id: number }
  /** Puts `target` into the relation of each owner, with a rank for each. */
  | {
      readonly kind: 'link';
      readonly type: ContentType;
      readonly attribute: RelationAttribute;
      readonly owners: readonly number[];
      readonly ranks: readonly number[];
      readonly target: number;
    }
  /** Takes the targets out of the relation of every owner but these. */
  | {
      readonly kind: 'unlink';
      readonly type: ContentType;
      readonly attribute: RelationAttribute;
      readonly targets: readonly number[];
      readonly except: readonly number[];
    }
  /** Takes a target out of all components, zones, morphs and media fields of a type. */
  | { readonly kind: 'forget'; readonly type: ContentType; readonly target: ContentType; readonly id: number };

export type WriteKind = Write['kind'];

/** What must be unique of a value inside a component. */
export const uniqueKey = (component: string, name: string, value: StoredValue): string =>
  `${component}.${name}=${value instanceof Date ? value.toISOString() : String(value)}`;

/** How a reference names its target. */
export const referenceTo = (target: ContentType, id: number): string => `${target.uid}:${id}`;

/** Top-level relations have an index of their own; media, like morphs and all in components, go through references. */
export const isIndexed = (attribute: RelationAttribute | MorphAttribute): attribute is RelationAttribute =>
  attribute.kind === 'relation' && attribute.side === 'owner' && !attribute.media;

/** The other side is a list with an order of its own, so the owner keeps a rank beside each id. */
export const isRanked = ({ inverse, relation }: RelationAttribute): boolean =>
  inverse !== undefined && (relation === 'manyToOne' || relation === 'manyToMany');
