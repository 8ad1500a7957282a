/** The linked content-type model, which the rest of the service reads. Built by `link`, immutable afterwards. */
import type { Dialect } from './dialects.js';
import type { AttributeEditorOptions, ModelEditorOptions } from './editor-options.js';

/** The types of attributes that hold one plain value. */
export type ScalarType =
  | 'string'
  | 'text'
  | 'richtext'
  | 'blocks'
  | 'uid'
  | 'email'
  | 'password'
  | 'enumeration'
  | 'integer'
  | 'biginteger'
  | 'decimal'
  | 'float'
  | 'boolean'
  | 'date'
  | 'time'
  | 'datetime'
  | 'timestamp'
  | 'json'
  | 'array';

interface AttributeBase {
  readonly name: string;
  readonly required: boolean;
  /** Never shown to a client, nor usable in its filters, sorts and fields. */
  readonly private: boolean;
  /** Clients may set it. */
  readonly writable: boolean;
  /** Per attribute options of plugins, e.g. `{ i18n: { localized: true } }`. */
  readonly pluginOptions: Readonly<Record<string, unknown>>;
  /** Not part of forms: `visible` is false, as in Strapi v4. */
  readonly isHidden?: true;
  /** How the editor shows it, if its definition says so. */
  readonly editor?: AttributeEditorOptions;
}

export interface ScalarAttribute extends AttributeBase {
  readonly kind: 'scalar';
  readonly type: ScalarType;
  /** How its values are compared and written. */
  readonly dialect: Dialect;
  readonly unique: boolean;
  /** `_q` looks into it. */
  readonly searchable: boolean;
  readonly default?: unknown;
  /** The declared default if the type refuses it: a new entry without a value is invalid. */
  readonly refusedDefault?: unknown;
  readonly min?: number | string;
  readonly max?: number | string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly regex?: RegExp;
  readonly enum?: readonly string[];
  /** The name of the enum in GraphQL, instead of the generated one. */
  readonly enumName?: string;
  /** For a `uid`: the attribute that it is generated from. */
  readonly targetField?: string;
  /** The attribute that a missing value of a new entry is generated from. */
  readonly generatedFrom?: string;
  /** Responses leave it out where it has no value. */
  readonly omitsNull?: true;
  /** It is another name of this attribute, whose rights it has: `name` is where its value is stored. */
  readonly alias?: { readonly of: ScalarAttribute; readonly name: string };
}

/** A relation to one content type; media fields are relations to the file type. */
export interface RelationAttribute extends AttributeBase {
  readonly kind: 'relation';
  readonly relation: 'oneToOne' | 'oneToMany' | 'manyToOne' | 'manyToMany';
  readonly target: ContentType;
  /** Whether this side has a list of entries. */
  readonly many: boolean;
  /** `owner`: ids are stored here. `inverse`: they are stored in the target, under `inverse`. */
  readonly side: 'owner' | 'inverse';
  /** The attribute of the target that is the other side; absent for one-way relations. */
  readonly inverse?: string;
  readonly media: boolean;
  /** For a media field: the allowed kinds of files, e.g. `images`. */
  readonly allowedTypes?: readonly string[];
}

/** A relation to entries of any type: stored as `{ __type, id }`. */
export interface MorphAttribute extends AttributeBase {
  readonly kind: 'morph';
  readonly many: boolean;
  /** The possible targets: every content type, by uid. */
  readonly candidates: ReadonlyMap<string, ContentType>;
}

/** The other side of a morph: the entries of `target` that link here with their attribute `morphBy`. */
export interface MorphedAttribute extends AttributeBase {
  readonly kind: 'morphed';
  readonly many: boolean;
  readonly target: ContentType;
  readonly morphBy: string;
  /** The uid of the type that declares this attribute, which the morph stores as `__type`. */
  readonly owner: string;
}

export interface ComponentAttribute extends AttributeBase {
  readonly kind: 'component';
  readonly component: Component;
  readonly repeatable: boolean;
  readonly min?: number;
  readonly max?: number;
}

export interface ZoneAttribute extends AttributeBase {
  readonly kind: 'zone';
  /** By uid, in the order of the definition. */
  readonly components: ReadonlyMap<string, Component>;
  readonly min?: number;
  readonly max?: number;
}

export type Attribute =
  ScalarAttribute | RelationAttribute | MorphAttribute | MorphedAttribute | ComponentAttribute | ZoneAttribute;

/** By name. */
export type Attributes = ReadonlyMap<string, Attribute>;

interface Schema {
  /** `api::article.article`, `plugin::upload.file`, or for components `shared.seo`. */
  readonly uid: string;
  readonly displayName: string;
  /** What it is for, in the words of the project. */
  readonly description?: string | undefined;
  /** What the editor calls it and says about it, if its definition says more than these. */
  readonly editor?: ModelEditorOptions;
  /** In the order of the definition; `id` is not among them. */
  readonly attributes: Attributes;
}

export interface Component extends Schema {
  readonly kind: 'component';
  /** The name of a picture, as in Strapi v4. */
  readonly icon?: string | undefined;
}

/** A compound index that the project declares in `options.indexes`; 1 ascending, -1 descending. */
export type IndexKeys = Readonly<Record<string, 1 | -1>>;

export interface ContentType extends Schema {
  readonly kind: 'collectionType' | 'singleType';
  /** The MongoDB collection. */
  readonly collectionName: string;
  readonly dialect: Dialect;
  readonly singularName: string;
  readonly pluralName: string;
  readonly draftAndPublish: boolean;
  /** The hidden type of the working copies of its entries; absent: it has none. */
  readonly copies?: ContentType;
  /**
   * Its definition asks for working copies, so that requests in Strapi v4's form have a `status`; a plugin can ask for
   * copies with requests of its own.
   */
  readonly hasStatus?: true;
  /** Of the hidden type of working copies: the type of the entries. */
  readonly copyOf?: ContentType;
  /**
   * The id that its localizations have in common, for clients that address entries by it. It is not among the
   * attributes; absent: entries have none.
   */
  readonly documentId?: ScalarAttribute;
  /** Unique values are unique in each locale, as in Strapi 5; absent: only those that localizations share. */
  readonly isUniquePerLocale?: true;
  /**
   * Localizations share components, zones and files that are not marked as localized, as in Strapi 5; absent: values
   * alone.
   */
  readonly sharesParts?: true;
  /**
   * The attributes, `documentId`, and `publishedAt`, which is the time of the last write for types without drafts;
   * absent: entries have none.
   */
  readonly documentAttributes?: Attributes;
  /** `documentAttributes` as code of Strapi 5 reads them: entries of types without locales have the locale null. */
  readonly documentColumns?: Attributes;
  /** Where its deleted entries are kept; absent: deletions are final. */
  readonly trash?: Trash;
  /** Of the hidden type of deleted entries: the type of the entries. */
  readonly trashOf?: ContentType;
  /** Clients may populate `createdBy` and `updatedBy`. */
  readonly populateCreatorFields: boolean;
  readonly indexes: readonly IndexKeys[];
  /** The header `Cache-Control` of public responses, instead of `CACHE_CONTROL`. */
  readonly cacheControl?: string | undefined;
  readonly pluginOptions: Readonly<Record<string, unknown>>;
  /** The parameters that plugins add to queries. */
  readonly parameters: readonly QueryParameter[];
}

/** Where deleted entries of a type are kept. */
interface Trash {
  /** The hidden type of the deleted entries. */
  readonly type: ContentType;
  /** For how many days. */
  readonly days: number;
}

/** Values of parameters that plugins add, by their names. */
export type ParameterValues = Readonly<Record<string, unknown>>;

/** A parameter that a plugin adds to queries, in REST, GraphQL and the code of projects. */
export interface QueryParameter<Value = unknown> {
  readonly name: string;
  /** The requests that have it: `scope` is for reads and writes, `state` for reads only. */
  readonly part: 'scope' | 'state';
  /** The content types that it is for; others ignore it. */
  readonly isOn: (type: ContentType) => boolean;
  /** Types that it is not for keep it for their relations. */
  readonly isInherited?: true;
  /** @param path where the value is, e.g. `populate[author][fallbackLocale]` @throws AppError for an invalid value */
  readonly parse: (value: unknown, path: string) => Value;
  /**
   * It selects the entries with a value of an attribute, which entries created with it get; `all` selects those with
   * any, and `otherwise` is the value where a request has none.
   */
  readonly selects?: { readonly attribute: string; readonly all: string; readonly otherwise?: () => string };
  /** The values that select something now, for hints to people; default: any. */
  readonly known?: () => Iterable<string>;
  /** The relation to the entries that can be shown in place of the one that a request names. */
  readonly alternatives?: string;
  /** What OpenAPI says about it, except its name and place. */
  readonly openApi: Readonly<Record<string, unknown>>;
  /** The type of its argument in GraphQL; `isAddition`: only in schemas that have more than Strapi v4's. */
  readonly graphql: { readonly type: string; readonly isAddition?: true };
  /** Its type in TypeScript, for the client. */
  readonly typescript: string;
}

/** All content types and components of a running service. */
export interface Registry {
  readonly contentTypes: ReadonlyMap<string, ContentType>;
  readonly components: ReadonlyMap<string, Component>;
  readonly dialect: Dialect;
}
