/**
 * What stands in a definition file: Strapi v4's schema.json, unchanged. `load` reads files into these shapes,
 * `link` turns them into the model of `types.ts`. The published JSON Schema (content-type.schema.json) says the same.
 */
export interface AttributeDefinition {
  readonly type: string;
  readonly [option: string]: unknown;
}

export interface ContentTypeDefinition {
  readonly kind?: 'collectionType' | 'singleType';
  readonly collectionName?: string;
  readonly info: {
    readonly singularName: string;
    readonly pluralName: string;
    readonly displayName?: string;
    readonly description?: string;
  };
  readonly options?: {
    readonly draftAndPublish?: boolean;
    readonly populateCreatorFields?: boolean;
    readonly privateAttributes?: readonly string[];
    /** Our addition: compound indexes, e.g. `[{ "kind": 1, "views": -1 }]`. */
    readonly indexes?: readonly Readonly<Record<string, 1 | -1>>[];
  };
  readonly pluginOptions?: Readonly<Record<string, unknown>>;
  readonly attributes: Readonly<Record<string, AttributeDefinition>>;
}

export interface ComponentDefinition {
  readonly collectionName?: string;
  readonly info?: { readonly displayName?: string; readonly description?: string };
  readonly options?: Readonly<Record<string, unknown>>;
  readonly attributes: Readonly<Record<string, AttributeDefinition>>;
}

/** A definition and where it comes from; `file` is what messages name, e.g. `content-types/article.json`. */
export interface Defined<D> {
  readonly uid: string;
  readonly file: string;
  readonly definition: D;
  /** Of its file; undefined for definitions that are no files. */
  readonly text?: string;
}

/** All definitions of a service, before linking. */
export interface Definitions {
  /** They are those of a Strapi v4 project: what Strapi starts with in spite of a contradiction is a warning, not an error. */
  readonly lenient?: boolean;
  readonly contentTypes: readonly Defined<ContentTypeDefinition>[];
  readonly components: readonly Defined<ComponentDefinition>[];
}

/** What an owner's files define. */
export interface LoadedDefinitions extends Definitions {
  /** What is different in content types of plugins, under their uids. */
  readonly extensions: readonly Defined<ContentTypeDefinition>[];
}
