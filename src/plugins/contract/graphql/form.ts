import type { Component, ContentType, Registry, RelationAttribute } from '../../../content-types/model/types.js';
import type { Caller } from '../../../documents/caller.js';
import type { EntryRequest } from '../../../documents/context.js';
import type { AppError } from '../../../errors/app-error.js';
import type { QueryInput } from '../../../query/parse/input.js';
import type { Filter, Query } from '../../../query/ast.js';
import type { EntryPresenter } from '../../../query/entry-presenter.js';
import type { Audience } from '../../../query/visibility.js';
import type { DescribedError } from '../content-api.js';
import type { GraphqlParts, ShadowAction, ShadowRule } from './parts.js';
import type { TypeNames } from './names.js';

/**
 * The content types in another GraphQL schema, at an address of its own. Limits, permissions, guards, caching and
 * settings are those of the schema of Strapi v4. What code of the project guards or changes there is absent here, so
 * that nothing leads around it.
 */
export interface GraphqlForm {
  /** Where it is served. */
  readonly path: string;
  readonly schema: SchemaForm;
  readonly reads: ReadForm;
  readonly writes: WriteForm;
  /** The parts of content types that are not generated. @param parts those of the schema of Strapi v4 */
  readonly rules: (registry: Registry, parts: readonly GraphqlParts[]) => readonly ShadowRule[];
  /** The types and fields that are not generated. */
  readonly parts: (parts: readonly GraphqlParts[]) => readonly GraphqlParts[];
  /**
   * The id of the entry that the arguments of a field name, for guards of the project: they know entries by it.
   * Undefined: there is none.
   */
  readonly numberOf: (
    type: ContentType,
    args: FieldArguments,
    operation: 'findOne' | 'update' | 'delete',
  ) => Promise<number | undefined>;
  readonly describeError: (error: AppError) => DescribedError;
}

/** The arguments of a field, which the schema has checked. */
export type FieldArguments = Readonly<Record<string, unknown>>;

/** What a schema shows of entries. */
export interface ReadShape {
  /** Which attributes its clients can name. */
  readonly audience: Audience;
  /**
   * Refuses names in the arguments of a list in its own words.
   * @param input the arguments as parameters of the REST API
   * @throws AppError
   */
  readonly check?: (input: QueryInput, model: ContentType | Component, caller: Caller) => void;
  /** By the name of a type around entries, the fields that lead to their values. Others are their values. */
  readonly wayTo: (names: TypeNames) => Readonly<Record<string, readonly string[]>>;
  /** From a list to `total` and `pageCount`. */
  readonly wayToPage: readonly string[];
  /** From a page of groups to each of them. */
  readonly wayToGroups: string;
  /** The state of related entries; undefined: that of the entry. */
  readonly relatedState: Query['publicationState'];
}

/** How the fields of a schema read entries. */
export interface ReadForm extends ReadShape {
  /** The form of the entries that its types resolve. */
  readonly presenter: EntryPresenter;
  /** The query of a root field, with what its arguments select by besides those of a list. @throws AppError */
  readonly scope: (query: Query, args: FieldArguments) => Query;
  /** The entry that the arguments name. */
  readonly entryOf: (type: ContentType, args: FieldArguments) => Filter;
}

/**
 * A mutation of a content type. Its result is the written entry, as the request presents it.
 * @throws AppError notFound for an entry that does not exist: an update, and a deletion by an id, answer null then
 */
export type WriteField = (type: ContentType, args: FieldArguments, request: EntryRequest) => Promise<unknown>;

export type WriteForm = Readonly<
  Record<Exclude<RootOperation, 'find' | 'findOne' | 'findSingle' | 'aggregate'>, WriteField>
>;

/**
 * How a GraphQL schema shows content types. What a form does not say is the same in all: scalars, enums, components,
 * zones and their inputs.
 */
export interface SchemaForm {
  /** Content types that only the schema has. */
  readonly contentTypes?: readonly ContentType[];
  /** It has types, too, that nothing leads to. */
  readonly hasUnusedTypes?: true;
  /** Its enums besides those of enumerations, by name: the value of each of their names. */
  readonly enums: (models: readonly (ContentType | Component)[]) => Readonly<Record<string, EnumValues>>;
  /** The types around the values of an entry, in SDL. */
  readonly entryTypes: (names: TypeNames) => readonly string[];
  /** The fields of a content type's types that no attribute has. */
  readonly furtherFields: (type: ContentType) => Readonly<Record<'output' | 'filters' | 'input', readonly string[]>>;
  /** The fields that show a relation. */
  readonly relationFields: (attribute: RelationAttribute) => readonly RelationField[];
  /** `(…)` of a field that returns several entries or components; empty for one without arguments. */
  readonly listArguments: (model: ContentType | Component) => string;
  /** The fields of Query and Mutation for a content type. */
  readonly rootFields: (type: ContentType) => Readonly<Record<'query' | 'mutation', readonly RootRow[]>>;
  readonly groups: GroupsForm;
}

/** How a schema shows groups of entries, if it has them. */
export interface GroupsForm {
  /** Which attributes can be keys and measures. */
  readonly audience: Audience;
  /** `(…)` of their field: the arguments of a list, and further ones. */
  readonly arguments: (type: ContentType, further: readonly string[]) => string;
  /** The types that all pages of groups share, in SDL. */
  readonly types: readonly string[];
  /** The fields of a page of groups of this type, in SDL. */
  readonly page: (group: string) => readonly string[];
  /** What the field resolves to, of a page in the form of Strapi v4; default: this. */
  readonly shown?: (page: GroupsPage) => unknown;
}

/** A page of groups in the form of Strapi v4. */
export interface GroupsPage {
  readonly data: readonly unknown[];
  readonly meta: { readonly pagination: unknown; readonly overlapping: readonly string[] };
}

type EnumValues = Readonly<Record<string, string>>;

/** A field that shows a relation. */
export interface RelationField {
  readonly name: string;
  /** Its arguments and its type, in SDL. */
  readonly signature: string;
  /** What it resolves to, of the related entries as they are presented; default: these. */
  readonly shown?: (related: unknown) => unknown;
}

/** A field of Query or Mutation. */
export interface RootRow {
  readonly name: string;
  readonly operation: RootOperation;
  readonly action: ShadowAction;
  /** Its arguments and its type, in SDL. */
  readonly signature: string;
  /** What it resolves to, of the response; default: this. */
  readonly shown?: (response: unknown) => unknown;
}

export type RootOperation =
  'find' | 'aggregate' | 'findOne' | 'findSingle' | 'create' | 'update' | 'delete' | 'updateSingle' | 'deleteSingle';
