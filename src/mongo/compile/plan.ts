import type { Document } from 'mongodb';
import type { Dialect } from '../../content-types/model/dialects.js';
import type { ScalarAttribute } from '../../content-types/model/types.js';
import type { Field } from '../../query/ast.js';
import type { Dependencies } from '../../query/dependencies.js';
import type { MeasureFunction } from '../../query/measures.js';
import type { IdQuery } from './filter/semi-join.js';
import type { EntrySource } from './read/branches.js';

/** A compiled query, as data only. `before` runs first, in order; each read can use the results of those before it. */
export interface ReadPlan {
  readonly before: readonly IdQuery[];
  readonly main: MainRead;
  readonly count: CountRead;
}

export interface MainRead extends EntrySource {
  /** How the database is to find the entries; default: it chooses. */
  readonly hint?: Document;
  /** Set if the filter is nothing but this id and the entry is a plain read. */
  readonly id: number | undefined;
  /** Set if the filter names one entry by its document and the entry is a plain read: the conditions beside that. */
  readonly document?: NamedDocument;
  /** Stages before the filter, which unwind components of entries. */
  readonly source: readonly Document[];
  readonly filter: Document;
  /** The parts of the list, in its order: each has one of these conditions, too. Default: it is read in one. */
  readonly ranges?: readonly Document[];
  /** The lookups for the sort before the page is read; undefined if it goes through no relation. */
  readonly tables: PageTables | undefined;
  /** Stages that end with the `$sort`. */
  readonly order: readonly Document[];
  readonly start: number;
  readonly limit: number;
  /** So many entries without a copy come before the page at least: they need not be read. */
  readonly skipped?: number;
  /** The projection of each entry. */
  readonly project: readonly Document[];
  /** Turns the page into one document `{ page, r0, r1, … }` and fetches populated entries; empty without populate. */
  readonly lookups: readonly Document[];
  readonly read: ReadEntry;
  /** The uids of the content types of the page and of the fetched lists. */
  readonly types: { readonly page: string; readonly lists: readonly string[] };
  /** The names of the fetched lists that are read from two collections; see `branchesOf`. */
  readonly united: ReadonlySet<string>;
}

/** The groups of the entries of a list, compiled. `count` is how these are read. */
export interface GroupPlan extends Pick<ReadPlan, 'before' | 'count'> {
  /** What the first pipeline reads of entries beside the filter; undefined: more than an index can have. */
  readonly paths: readonly string[] | undefined;
  /** On the collection of the entries. Each results in one document; if that has `again`, the next one is needed. */
  readonly pipelines: readonly [readonly Document[], ...(readonly Document[])[]];
  /** The names of keys, with their fields; undefined: it is text. */
  readonly keys: readonly { readonly name: string; readonly field: Field | undefined }[];
  /** Measures by their names, with results as attributes. */
  readonly measures: readonly {
    readonly function: MeasureFunction;
    readonly name: string;
    readonly attribute: ScalarAttribute;
  }[];
}

/** One entry of a document. */
export interface NamedDocument {
  readonly documentId: string;
  readonly others: Document;
}

/** The tables that a page is sorted by: stages that build them in one document, and the variables that read it. */
export interface PageTables {
  readonly stages: readonly Document[];
  readonly variables: Document;
}

export interface CountRead extends EntrySource {
  readonly hint?: Document;
  readonly source: readonly Document[];
  readonly filter: Document;
  /** What the total depends on. */
  readonly dependencies: Dependencies;
}

/** How an entry or component is assembled from the fetched lists. */
export interface ReadEntry {
  readonly fields: readonly ScalarAttribute[];
  readonly nodes: readonly ReadNode[];
  /** The localizations of an entry: the stored ones or the fetched ones. */
  readonly availableLocales: boolean | OwnedNode;
}

/** The sort keys of components: paths within each component. */
export interface ComponentSort {
  readonly path: readonly string[];
  readonly descending: boolean;
  /** How its values are compared. */
  readonly nulls: Dialect['nulls'];
  readonly collation: Dialect['collation'];
}

/** The slice of a list that is kept, per parent. */
export interface Slice {
  readonly start: number;
  readonly limit: number | undefined;
}

/**
 * The form of related entries: one of them, all, or their number. As recorded, media and the inverse sides of morphs
 * are null where other lists are empty.
 */
export type Cardinality = 'one' | 'many' | 'manyOrNull' | 'count';

/** How related entries are assembled, which were fetched into the list `from`. `ordered`: it is sorted as requested. */
interface ReadRelated {
  readonly key: string;
  readonly from: string;
  readonly ordered: boolean;
  readonly entry: ReadEntry;
  readonly cardinality: Cardinality;
}

/** How one populated attribute is assembled. */
export type ReadNode =
  | (ReadComponents & {
      readonly kind: 'component';
      readonly key: string;
      readonly name: string;
      readonly repeatable: boolean;
      readonly counted: boolean;
    })
  | {
      readonly kind: 'zone';
      readonly key: string;
      readonly name: string;
      readonly on: ReadonlyMap<string, ReadComponents>;
      /** Whether some component type is limited. */
      readonly cut: boolean;
      readonly counted: boolean;
    }
  /** The ids are in the parent, under `name`; their order applies unless the list is ordered. */
  | (ReadRelated & { readonly kind: 'owned'; readonly name: string; readonly slice: Slice })
  /** The parent's id is in the related entries, under `by`, of `type` if that is a morph. */
  | (ReadRelated & { readonly kind: 'inverse'; readonly by: string; readonly type: string | undefined })
  | {
      readonly kind: 'morph';
      readonly key: string;
      readonly name: string;
      readonly many: boolean;
      readonly on: ReadonlyMap<string, ReadMorphPart>;
      /** Whether the entries of some type are limited. */
      readonly cut: boolean;
      /** A list without entries is left out as if nothing were stored. */
      readonly narrowed: boolean;
    };

export type OwnedNode = Extract<ReadNode, { readonly kind: 'owned' }>;

/**
 * Components of one type. Those that remain in a zone keep their positions: there the sort only determines which ones
 * are removed.
 */
export interface ReadComponents {
  readonly entry: ReadEntry;
  readonly slice: Slice;
  readonly sort: readonly ComponentSort[];
}

/**
 * The targets of a morph of one type, in the same way. `ordered`: `from` is sorted; otherwise the order of ids applies.
 */
export interface ReadMorphPart {
  readonly from: string;
  readonly entry: ReadEntry;
  readonly slice: Slice;
  readonly ordered: boolean;
}
