import type { Dialect } from './dialects.js';

/**
 * The content of a definition file: Strapi v4's schema.json, unchanged. `load` reads files into these types, `link`
 * turns them into the model of `types.ts`. The published JSON Schema (content-type.schema.json) describes the same.
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
    /** Our addition: changes of a published entry can be saved as a working copy, and be published later. */
    readonly workingCopies?: boolean;
    /** Our addition: for how many days deleted entries are kept, so that they can be restored. */
    readonly trash?: number;
    /** Our addition: the header `Cache-Control` of public responses. */
    readonly cacheControl?: string;
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

/** A definition and its origin; messages name `file`, e.g. `content-types/article.json`. */
export interface Defined<D> {
  readonly uid: string;
  readonly file: string;
  readonly definition: D;
  /** The text of its file; undefined for definitions without a file. */
  readonly text?: string;
}

/** All definitions of a service, before linking. */
export interface Definitions {
  /** From a Strapi v4 project: contradictions that Strapi accepts are warnings, not errors. */
  readonly lenient?: boolean;
  /** Default: `sqlite`. */
  readonly dialect?: Dialect | undefined;
  readonly contentTypes: readonly Defined<ContentTypeDefinition>[];
  readonly components: readonly Defined<ComponentDefinition>[];
}

/** The definitions in a project's files. */
export interface LoadedDefinitions extends Definitions {
  /** Changes to content types of plugins, by their uids. */
  readonly extensions: readonly Defined<ContentTypeDefinition>[];
}
