import type { Account, LogIn, Registration, UploadedFile, UploadTarget } from './account.js';
import type { AggregateRead, DocumentAggregateQuery } from './aggregate.js';
import type { Exact, Models, NamesOf } from './content-types.js';
import type { Model } from './model.js';
import type { Condition, FieldName, FieldsParameter, PopulateName, Sort, TargetOf } from './query.js';
import type { ChosenField, CompleteInput, NestedIn, Pagination, PopulatedName } from './response.js';
import type { CreateOptions, WriteOptions } from './write-options.js';

/**
 * The client for the format of Strapi 5: entries are flat, and each is addressed by its `documentId`, which all
 * localizations have in common.
 */

/** The returned fields and populated attributes. */
interface Selection<M extends Model> {
  readonly fields?: FieldsParameter<M>;
  readonly populate?:
    | '*'
    | PopulateName<M>
    | readonly PopulateName<M>[]
    | { readonly [K in PopulateName<M>]?: boolean | Nested<M['populate'][K]> };
}

interface Related<M extends Model> extends Selection<M> {
  readonly filters?: DocumentFilters<M>;
  readonly sort?: Sort<M>;
  /** Only how many there are. */
  readonly count?: boolean;
}

/** The parameters of a populated attribute. */
type Nested<P> = P extends { readonly kind: 'zone'; readonly of: infer Z }
  ? {
      readonly populate?: '*';
      readonly on?: { readonly [U in keyof Z]?: boolean | (Z[U] extends Model ? Selection<Z[U]> : never) };
    }
  : TargetOf<P> extends infer M extends Model
    ? Related<M>
    : never;

/** Conditions on the entries of a list and on related entries; none leads into a dynamic zone. */
export type DocumentFilters<M extends Model> = {
  readonly $and?: readonly DocumentFilters<M>[];
  readonly $or?: readonly DocumentFilters<M>[];
  readonly $not?: DocumentFilters<M>;
  readonly id?: Condition<number>;
} & { readonly [K in FieldName<M>]?: Condition<NonNullable<M['fields'][K]>> } & {
  readonly [K in PopulateName<M>]?: M['populate'][K] extends { readonly kind: 'zone' | 'anything' }
    ? never
    : TargetOf<M['populate'][K]> extends infer T extends Model
      ? DocumentFilters<T>
      : never;
};

/** What a write asks for: which version and locale it writes, and what of it is shown. */
export interface DocumentWriteQuery<M extends Model> extends Selection<M> {
  /** Default: `published`. In reads it holds for related entries, too. */
  readonly status?: 'draft' | 'published';
  /** Default: the default locale. */
  readonly locale?: string;
}

/** The parameters of reads of one entry. */
export interface DocumentQuery<M extends Model> extends DocumentWriteQuery<M> {
  readonly publicationFilter?:
    | 'never-published'
    | 'has-published-version'
    | 'modified'
    | 'unmodified'
    | 'never-published-document'
    | 'has-published-version-document'
    | 'published-without-draft'
    | 'published-with-draft';
}

/** The parameters of lists; with the locale `*` they have entries of all locales. */
export interface DocumentListQuery<M extends Model> extends DocumentQuery<M> {
  readonly filters?: DocumentFilters<M>;
  readonly sort?: Sort<M>;
  readonly pagination?:
    | { readonly page?: number; readonly pageSize?: number; readonly withCount?: boolean }
    | { readonly start?: number; readonly limit?: number; readonly withCount?: boolean };
  readonly _q?: string;
}

/** The values that a query is answered with. */
type Values<M extends Model, Q> = (Q extends { readonly fields: infer F }
  ? Pick<M['fields'], ChosenField<M, F>>
  : M['fields']) &
  (Q extends { readonly populate: infer P }
    ? { readonly [K in PopulatedName<M, P>]: Shown<M['populate'][K], NestedIn<P, K>> }
    : unknown);

type PartValue<M, Q> = M extends Model ? { readonly id: number } & Values<M, Q> : never;

type ZoneValue<Z, Q> = Q extends { readonly on: infer On }
  ? { [U in keyof Z & keyof On]: { readonly __component: U } & PartValue<Z[U], On[U]> }[keyof Z & keyof On]
  : { [U in keyof Z]: { readonly __component: U } & PartValue<Z[U], Q> }[keyof Z];

type Shown<P, Q> = Q extends { readonly count: true }
  ? { readonly count: number }
  : P extends { readonly kind: 'zone'; readonly of: infer Z }
    ? readonly ZoneValue<Z, Q>[]
    : P extends { readonly kind: infer Kind; readonly of: infer M extends Model }
      ? Kind extends 'one'
        ? Document<M, Q> | null
        : Kind extends 'many' | 'files'
          ? readonly Document<M, Q>[]
          : Kind extends 'part'
            ? PartValue<M, Q> | null
            : readonly PartValue<M, Q>[]
      : unknown;

/** An entry, with the fields and relations that the query `Q` asks for. */
export type Document<M extends Model, Q = unknown> = { readonly id: number; readonly documentId: string } & Values<
  M,
  Q
>;

export interface DocumentResponse<M extends Model, Q> {
  readonly data: Document<M, Q>;
  readonly meta: object;
  /** Identifies what a read answered with. */
  readonly etag?: string;
}

export interface DocumentList<M extends Model, Q> {
  readonly data: readonly Document<M, Q>[];
  readonly meta: { readonly pagination: Omit<Pagination, 'next'> };
}

/** The data of a new entry with all required attributes, unless the query says that it is a draft. */
export type NewDocument<M extends Model, Q> = Q extends { readonly status: 'draft' }
  ? M['drafts'] extends true
    ? M['input']
    : M['input'] & CompleteInput<M>
  : M['input'] & CompleteInput<M>;

/** A user who logged in. */
export interface DocumentAccount extends Account {
  readonly user: Account['user'] & { readonly documentId: string };
}

/** Strapi 5's REST actions; the types of the answers follow from `fields` and `populate`. */
export interface DocumentClient<C extends Models<C>> {
  /** A page of entries of a collection type. */
  find<N extends NamesOf<C, 'collection'>, const Q extends DocumentListQuery<C[N]> = object>(
    collection: N,
    query?: Exact<Q, DocumentListQuery<C[N]>>,
  ): Promise<DocumentList<C[N], Q>>;
  /** The entry of this document, in a locale. */
  findOne<N extends NamesOf<C, 'collection'>, const Q extends DocumentQuery<C[N]> = object>(
    collection: N,
    documentId: string,
    query?: Exact<Q, DocumentQuery<C[N]>>,
  ): Promise<DocumentResponse<C[N], Q>>;
  /** Groups of the entries in all pages of a list, with their numbers and measures. */
  aggregate<N extends NamesOf<C, 'collection'>, const Q extends DocumentAggregateQuery<C[N]> = object>(
    collection: N,
    query?: Exact<Q, DocumentAggregateQuery<C[N]>>,
  ): Promise<AggregateRead<C[N], Q>>;
  /** Creates an entry with a document of its own, and publishes it unless the status is `draft`. */
  create<N extends NamesOf<C, 'collection'>, const Q extends DocumentWriteQuery<C[N]> = object>(
    collection: N,
    data: NewDocument<C[N], Q>,
    query?: Exact<Q, DocumentWriteQuery<C[N]>>,
    options?: CreateOptions,
  ): Promise<DocumentResponse<C[N], Q>>;
  /** Changes the attributes in `data`; a locale that the document lacks is created. */
  update<N extends NamesOf<C, 'collection'>, const Q extends DocumentWriteQuery<C[N]> = object>(
    collection: N,
    documentId: string,
    data: C[N]['input'],
    query?: Exact<Q, DocumentWriteQuery<C[N]>>,
    options?: WriteOptions,
  ): Promise<DocumentResponse<C[N], Q>>;
  /** Deletes the entry of a locale, with `*` of all; also if there is none. */
  delete(
    collection: NamesOf<C, 'collection'>,
    documentId: string,
    query?: { readonly locale?: string },
    options?: WriteOptions,
  ): Promise<void>;
  /** The entry of a single type. */
  findSingle<N extends NamesOf<C, 'single'>, const Q extends DocumentQuery<C[N]> = object>(
    single: N,
    query?: Exact<Q, DocumentQuery<C[N]>>,
  ): Promise<DocumentResponse<C[N], Q>>;
  /** Creates or changes the entry of a single type. */
  updateSingle<N extends NamesOf<C, 'single'>, const Q extends DocumentWriteQuery<C[N]> = object>(
    single: N,
    data: C[N]['input'],
    query?: Exact<Q, DocumentWriteQuery<C[N]>>,
    options?: WriteOptions,
  ): Promise<DocumentResponse<C[N], Q>>;
  /** Deletes the entry of a single type. */
  deleteSingle(
    single: NamesOf<C, 'single'>,
    query?: { readonly locale?: string },
    options?: WriteOptions,
  ): Promise<void>;
  /** Logs a user in; `token` of another client is then the `jwt` in the response. */
  logIn(input: LogIn): Promise<DocumentAccount>;
  /** Registers a user. `jwt` is missing where the address has to be confirmed first. */
  register(input: Registration): Promise<DocumentAccount>;
  /** Uploads files, and adds them to a media field of an entry if there is a `target`. */
  upload(
    files: readonly Blob[],
    target?: UploadTarget,
  ): Promise<readonly (UploadedFile & { readonly documentId: string })[]>;
}
