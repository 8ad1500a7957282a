import type { Component, ContentType, RelationAttribute } from '../../../content-types/model/types.js';
import type { ShadowAction } from './parts.js';
import type { TypeNames } from './names.js';

/** How a GraphQL schema shows content types. What a form does not say is the same in all: scalars, enums, components, zones and their inputs. */
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
  'find' | 'findOne' | 'findSingle' | 'create' | 'update' | 'delete' | 'updateSingle' | 'deleteSingle';
