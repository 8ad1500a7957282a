import type { JsonSchema } from '../../content-types/model/attribute-types.js';
import type { Attribute, ContentType } from '../../content-types/model/types.js';
import type { Model } from '../../content-types/model/walk.js';
import type { PageLimits } from '../../query/parse/parse-pagination.js';
import type { EntryForm } from './entry-form.js';
import type { RouteDescription } from './routes.js';

/**
 * What a form of the API says in OpenAPI in its own way. All else is the same: how attributes, filters, errors and
 * routes of plugins are described.
 */
export interface ApiDescription {
  readonly title: string;
  readonly text: string;
  /** Whose names requests can use, and answers have. */
  readonly audience: EntryForm['audience'];
  readonly answers: DescribedAnswers;
  readonly inputs: DescribedInputs;
}

/** What a presenter makes of entries, in schemas. */
export interface DescribedAnswers {
  /** An entry. @param attributes the schema of its values */
  readonly entry: (attributes: JsonSchema) => JsonSchema;
  /** A related entry, or null. */
  readonly one: (entry: JsonSchema) => JsonSchema;
  /** Related entries. */
  readonly many: (entries: JsonSchema) => JsonSchema;
  /** Several files; otherwise they are null where there are none. */
  readonly emptyLists?: true;
  /** The `data` of an answer with one entry. */
  readonly data: (entry: JsonSchema) => JsonSchema;
}

/** What bodies and filters can have. */
export interface DescribedInputs {
  /** Whether the data of a model has this attribute, which is public and writable. */
  readonly isTaken: (attribute: Attribute, model: Model) => boolean;
  /** Further keywords of the data of a content type. */
  readonly data: JsonSchema;
  /** What the data of a draft must have besides: that tells it from an entry which has to be complete. */
  readonly draft: { readonly required: readonly string[]; readonly properties: JsonSchema };
  /** The input of relations. */
  readonly relation: JsonSchema;
  /** Whether filters lead into dynamic zones. */
  readonly filtersZones: boolean;
}

/** What an operation on a content type is described with. */
export interface OperationParts {
  readonly type: ContentType;
  readonly limits: PageLimits;
  /** The schema of the type with the end of its name: `Response`, `ListResponse`, `CreateRequest`, `UpdateRequest`. */
  readonly schema: (end: string) => JsonSchema;
  /** A parameter of queries by its name, as in Strapi v4; a list, which is empty where the type does not have it. */
  readonly parameter: (name: string) => readonly JsonSchema[];
}

/** An operation on a content type; undefined: it does not have it. */
export type DescribeOperation = (parts: OperationParts) => RouteDescription | undefined;
