import type { Documents } from '../documents/documents.js';
import type { IdempotencyKeys } from '../mongo/coordination/idempotency-keys.js';
import type { AnswererOf } from '../plugins/contract/answerer.js';
import type { ReadPreview } from '../plugins/contract/access/preview-links.js';
import type { Route } from '../plugins/contract/routes.js';
import type { BodyReader } from '../plugins/contract/forms.js';
import type { QueryLimits } from '../query/parse/parse-query.js';

/** The dependencies of the REST actions. */
export interface RestContext {
  readonly documents: Documents;
  readonly limits: QueryLimits;
  /** The maximum bytes of a response. */
  readonly responseLimit: number;
  /** Every local client may explain queries. */
  readonly development: boolean;
  /** Reads bodies that are neither JSON nor a form. */
  readonly bodyReaders: readonly BodyReader[];
  /**
   * Verifies preview links; undefined if everyone who may read an entry sees its draft, and none has a working copy.
   */
  readonly readPreview: ReadPreview | undefined;
  /** Asked by each way to do an action that is not its own route, such as a batch. */
  readonly answererOf: AnswererOf;
  readonly idempotencyKeys: IdempotencyKeys;
}

/** Whether a route of a plugin is there, by the parameters of its path: one that would bypass code is not. */
export type IsThere = (route: Route, params: Readonly<Record<string, string>>) => boolean;
