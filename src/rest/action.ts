import type { Request, Response } from 'express';
import type { ContentType } from '../content-types/model/types.js';
import type { Documents } from '../documents/documents.js';
import type { Action } from '../documents/interceptors.js';
import type { RequestContext } from '../documents/request-context.js';
import { assertReadable, withheldFrom } from '../documents/rights.js';
import type { IdempotencyKeys } from '../mongo/coordination/idempotency-keys.js';
import type { ReadPreview } from '../plugins/contract/access/preview-links.js';
import type { BodyReader } from '../plugins/contract/plugin.js';
import type { QueryLimits } from '../query/parse/parse-query.js';
import type { Offers } from './offers.js';
import type { ParsedEntryQuery } from './parsed-queries.js';

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
  /** Verifies preview links; undefined if everyone who may read an entry sees its draft. */
  readonly readPreview: ReadPreview | undefined;
  /** Which actions name an entry by a key. */
  readonly offersByKey: Offers;
  readonly idempotencyKeys: IdempotencyKeys;
}

/** A request for an action on a content type; `id` is the parameter of the path, for actions on one entry. */
export interface ActionRequest extends RequestContext {
  readonly type: ContentType;
  readonly request: Request;
  readonly response: Response;
  readonly id: string;
}

export type Handle = (request: ActionRequest) => Promise<void>;

/** A query for one entry, whose filter and sort the caller could use in a list. @throws AppError invalidParameter */
export function readableQuery(
  { type, caller }: ActionRequest,
  action: Action,
  parsed: ParsedEntryQuery,
): ParsedEntryQuery {
  assertReadable(parsed.unused, caller, withheldFrom(type, caller, action));
  return parsed;
}
