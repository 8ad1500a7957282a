import type { ContentType } from '../content-types/model/types.js';
import type { Caller } from '../documents/caller.js';
import { emptyQuery } from '../documents/context.js';
import type { Action } from '../documents/interceptors.js';
import { assertReadable, withheldFrom } from '../documents/rights.js';
import { AppError } from '../errors/app-error.js';
import type { PublicationState, Query } from '../query/ast.js';
import type { QueryInput } from '../query/parse/input.js';
import { parseKey, type Key } from '../query/parse/parse-key.js';
import { parseUnused, type QueryLimits, type Unused } from '../query/parse/parse-query.js';
import { parsePublicationState, parseSelection } from '../query/parse/parse-selection.js';
import { hasStatus, parseStatus, stateOfStatus } from '../query/parse/parse-status.js';
import { alternativesOf, parseValues } from '../query/plugin-parameters.js';

/** The query of a request for one entry. */
export interface ParsedEntryQuery {
  readonly input: QueryInput;
  /** Selects the fields of the entry, without its id. */
  readonly query: Query;
  /** The filter and the sort of an entry of a collection, which have no effect. */
  readonly unused: Unused;
}

/** A query for one entry, whose filter and sort the caller could use in a list. @throws AppError invalidParameter */
export function readableQuery(
  { type, caller }: { readonly type: ContentType; readonly caller: Caller },
  action: Action,
  parsed: ParsedEntryQuery,
): ParsedEntryQuery {
  assertReadable(parsed.unused, caller, withheldFrom(type, caller, action));
  return parsed;
}

/** @throws AppError invalidParameter, tooCostly */
export function parseEntryQuery(input: QueryInput, type: ContentType, limits: QueryLimits): ParsedEntryQuery {
  const { filter, sort } = emptyQuery(type);
  const unused = type.kind === 'collectionType' ? parseUnused(input, type) : { filter, sort };
  const selection = parseSelection(input, type, 'client', limits);
  const parameters = parseValues(input, type);
  // As in Strapi v4 `live` has no effect on one entry, unless the parameters can lead to another one.
  const canReplace = alternativesOf({ type, parameters }) !== undefined;
  const state = canReplace || hasStatus(type) ? parseState(input, type) : undefined;
  const isIgnored = state === 'live' && !canReplace && parseStatus(input['status'], type) === undefined;
  const publicationState = isIgnored ? undefined : state;
  return { input, query: { ...emptyQuery(type), ...selection, parameters, publicationState }, unused };
}

/** The state of the entries that a request for one can show. @throws AppError invalidParameter */
function parseState(input: QueryInput, type: ContentType): PublicationState {
  const [state, status] = [parsePublicationState(input['publicationState']), parseStatus(input['status'], type)];
  if (status === 'published' && state === 'preview') throw new AppError('invalidParameter', 'status');
  return status === undefined ? state : stateOfStatus[status];
}

/** Parses a read of the entry that has this key. @throws AppError invalidParameter, see `parseKey`, tooCostly */
export const parseKeyQuery = (key: Key, input: QueryInput, type: ContentType, limits: QueryLimits): Query => ({
  ...emptyQuery(type),
  filter: parseKey(key, type),
  ...parseSelection(input, type, 'client', limits),
  publicationState: parseState(input, type),
  parameters: parseValues(input, type),
});
