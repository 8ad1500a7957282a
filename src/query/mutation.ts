import type { ContentType, MorphAttribute, RelationAttribute } from '../content-types/model/types.js';
import type { Receipt } from './receipt.js';

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
  /** Placed in order, except those that another one needs before: see `chainsOf`. */
  readonly connect: readonly Connected[];
}

interface Connected {
  readonly id: number;
  readonly position: Position;
  /** Of a localization. */
  readonly locale?: string;
  /** Absent: that of the write, see `Changes`. */
  readonly rank?: number;
}

/** Stored beside the id of a relation: its rank, see `isRanked`; for a localization its locale. */
export type Rank = number | string;

/** A change of a top-level relation. */
export interface Links extends LinkChange {
  readonly attribute: RelationAttribute;
}

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
  | { readonly kind: 'components'; readonly many: boolean; readonly components: readonly ComponentWrite[] }
  /** Changes some components of a list; the others stay unchanged, at their positions. */
  | { readonly kind: 'someComponents'; readonly components: readonly KeptComponent[] };

/**
 * All that changes in one entry; `undefined` clears. Its references and unique keys follow from it, see
 * `derivedListsIn`.
 */
export interface Changes {
  readonly values: ReadonlyMap<string, StoredValue | undefined>;
  /** Attributes that keep components they have. */
  readonly merges: ReadonlyMap<string, ValueChange>;
  readonly links: readonly Links[];
  /** The rank of new links. A linked id keeps its rank, see `isExclusive`. */
  readonly rank?: number;
}

/** A write that changes nothing. */
export const noChanges: Changes = { values: new Map(), merges: new Map(), links: [] };

export interface MorphLink {
  readonly __type: string;
  readonly id: number;
}

export interface EntryName {
  readonly type: ContentType;
  readonly id: number;
}

/** A new entry as it is stored. */
export type NewDocument = Readonly<Record<string, unknown>> & { readonly _id: number };

/**
 * What an update does with the working copy of its entry: the changes are saved in it; those of a draft that would
 * change what is published in other languages wait in it; it is merged into the entry before the changes; or it is
 * discarded.
 */
export type CopyUse = 'save' | 'hold' | 'merge' | 'discard';

/** What the working copy of an entry changes in others when it is merged, and the write itself does not decide. */
export interface MergedChanges {
  /** The values that its localizations get. */
  readonly shared: ReadonlyMap<string, StoredValue | undefined>;
  /** The targets of one-to-one relations that others lose. */
  readonly taken: readonly TakenTarget[];
}

/** A target that an entry gets in a one-to-one relation, so that no other entry keeps it. */
export interface TakenTarget {
  readonly attribute: RelationAttribute;
  readonly id: number;
}

/**
 * When an entry is deleted that is kept in the trash of its type, and by which user; absent: it is removed for good.
 */
export interface Deletion {
  readonly at: Date;
  readonly by: number | undefined;
}

/** A write of one entry: what the other writes of an operation follow from. */
export type PrimaryWrite = EntryName & {
  /** Stored with the write. */
  readonly receipt?: Receipt | undefined;
} & (
    | { readonly kind: 'insert'; readonly document: NewDocument }
    /** `alone`: only an entry that has no localizations is changed. */
    | {
        readonly kind: 'update';
        readonly changes: Changes;
        readonly alone?: boolean;
        readonly copy?: CopyUse | undefined;
      }
    /** With the removal of all references to it. */
    | { readonly kind: 'remove'; readonly references: readonly ReferenceRemoval[]; readonly deletion?: Deletion }
  );

/** A write of the entries that store the other side of a relation of the primary entry, or of its localizations. */
export type DependentWrite = OwnersChange | SharedValues;

/** Changes which entries of a type refer to the target, and their order. */
export interface OwnersChange {
  readonly kind: 'owners';
  readonly attribute: RelationAttribute | MorphAttribute;
  readonly type: ContentType;
  readonly target: EntryName;
  /** The side of the target shows a list. */
  readonly many: boolean;
  readonly change: LinkChange;
}

/** Gives all localizations of an entry the values that they share. */
export interface SharedValues {
  readonly kind: 'share';
  readonly type: ContentType;
  readonly id: number;
  /** Those that the write of the entry sets; they go to the others. */
  readonly written: readonly string[];
  /** The localizations that a new entry joins. It gets those of their values that it does not set. */
  readonly joined: readonly number[];
  /** The shared values that it may get. */
  readonly shared: readonly string[];
  /** The time of the write, for all localizations. */
  readonly at: Date;
  /** A written value that would change what is published is refused. */
  readonly sparesPublished?: true;
}

export type Write = PrimaryWrite | DependentWrite;

/** The removal of references to an entry that does not exist any more. It can be repeated without harm. */
export type ReferenceRemoval =
  /** From a relation of all entries. */
  | {
      readonly kind: 'unlink';
      readonly type: ContentType;
      readonly attribute: RelationAttribute;
      readonly targets: readonly number[];
    }
  /** From all components, zones, morphs and media fields of a type. */
  | { readonly kind: 'forget'; readonly type: ContentType; readonly target: ContentType; readonly id: number };

/** The unique key of a value in a component; equal values of one attribute have the same. */
export const uniqueKey = (component: string, name: string, value: StoredValue): string =>
  `${component}.${name}=${value instanceof Date ? value.toISOString() : String(value)}`;

/**
 * The path of a component as references and unique keys name it. Ids are unique among the components of one kind, as in
 * Strapi v4: only a zone has components of several kinds, so the kind is part of its paths.
 */
export const componentPath = (around: string, id: number, zone: string | undefined): string =>
  zone === undefined ? `${around}.${id}` : `${around}.${zone}:${id}`;
