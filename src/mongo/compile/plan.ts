import type { Document } from 'mongodb';
import type { ScalarAttribute } from '../../content-types/model/types.js';
import type { IdQuery } from './filter/semi-join.js';

/** What a query becomes: data only. `before` runs first, in order; each may use the results of those before it. */
export interface Plan {
  readonly before: readonly IdQuery[];
  readonly main: MainRead;
  readonly count: CountRead;
}

export interface MainRead {
  readonly collection: string;
  /** Stages that come before the filter: those that take components out of entries. */
  readonly source: readonly Document[];
  readonly filter: Document;
  /** What is looked up for the sort before the page is read; undefined where it goes through no relation. */
  readonly tables: PageTables | undefined;
  /** Stages that end with the `$sort`. */
  readonly order: readonly Document[];
  readonly start: number;
  readonly limit: number;
  /** What is read of each entry. */
  readonly project: readonly Document[];
  /** Turns the page into one document `{ page, r0, r1, … }` and fetches what is populated; empty: nothing is. */
  readonly lookups: readonly Document[];
  readonly read: ReadEntry;
}

/** Tables that a page is sorted by: stages that make one document of them, and the variables that read it. */
export interface PageTables {
  readonly stages: readonly Document[];
  readonly variables: Document;
}

export interface CountRead {
  readonly collection: string;
  readonly source: readonly Document[];
  readonly filter: Document;
  /** The uids of the content types whose entries decide the total. */
  readonly types: readonly string[];
}

/** How an entry or component is put together out of what was fetched. */
export interface ReadEntry {
  readonly fields: readonly ScalarAttribute[];
  readonly nodes: readonly ReadNode[];
  /** The localizations of an entry: those that it stores, or those that were fetched. */
  readonly availableLocales: boolean | OwnedNode;
}

/** What components are sorted by: the path of a value within each. */
export interface ComponentSort {
  readonly path: readonly string[];
  readonly descending: boolean;
}

/** The slice of a list that is kept, per parent. */
export interface Slice {
  readonly start: number;
  readonly limit: number | undefined;
}

/**
 * What is said of related entries: one of them, all, or their number. As recorded, media and the other sides of morphs
 * are null where other lists are empty.
 */
export type Cardinality = 'one' | 'many' | 'manyOrNull' | 'count';

/** How one populated attribute is put together. `from` names the list in which the related entries were fetched. */
export type ReadNode =
  | {
      readonly kind: 'component';
      readonly key: string;
      readonly name: string;
      readonly repeatable: boolean;
      readonly entry: ReadEntry;
      readonly slice: Slice;
      readonly sort: readonly ComponentSort[];
    }
  | {
      readonly kind: 'zone';
      readonly key: string;
      readonly name: string;
      readonly on: ReadonlyMap<string, ReadZonePart>;
      /** Some kind is cut. */
      readonly cut: boolean;
    }
  /** The ids are in the parent, under `name`. `ordered`: `from` is sorted as asked; else the stored order counts. */
  | {
      readonly kind: 'owned';
      readonly key: string;
      readonly name: string;
      readonly from: string;
      readonly ordered: boolean;
      readonly entry: ReadEntry;
      readonly slice: Slice;
      readonly cardinality: Cardinality;
    }
  /** The parent's id is in the related entries, under `by`, of `type` if that is a morph. */
  | {
      readonly kind: 'inverse';
      readonly key: string;
      readonly from: string;
      readonly by: string;
      readonly type: string | undefined;
      readonly ordered: boolean;
      readonly entry: ReadEntry;
      readonly cardinality: Cardinality;
    }
  | {
      readonly kind: 'morph';
      readonly key: string;
      readonly name: string;
      readonly many: boolean;
      readonly on: ReadonlyMap<string, ReadMorphPart>;
      /** The entries of some type are cut. */
      readonly cut: boolean;
      /** A list without entries is left out as if nothing were stored. */
      readonly narrowed: boolean;
    };

export type OwnedNode = Extract<ReadNode, { readonly kind: 'owned' }>;

/** The components of one kind in a zone. What is left of them stays in its place: the sort tells only what is cut. */
export interface ReadZonePart {
  readonly entry: ReadEntry;
  readonly slice: Slice;
  readonly sort: readonly ComponentSort[];
}

/** The entries of one type that a morph leads to, in the same way. `ordered`: `from` is sorted; else the ids count. */
export interface ReadMorphPart {
  readonly from: string;
  readonly entry: ReadEntry;
  readonly slice: Slice;
  readonly ordered: boolean;
}
