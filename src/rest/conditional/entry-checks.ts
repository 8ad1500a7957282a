import type { ServerResponse } from 'node:http';
import type { Condition } from '../../calls/condition.js';
import { serializeJson } from '../../calls/serialize.js';
import { unchanged } from '../../calls/unchanged.js';
import type { ContentType } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import { listingOf } from '../../documents/listings.js';
import type { EntryRequest } from '../../documents/context.js';
import { presentEntry, type Present } from '../../documents/read-operation.js';
import type { CheckVersion } from '../../documents/write/conditional/while-unchanged.js';
import { type QueryInput, requireId } from '../../query/parse/input.js';
import type { Key } from '../../query/parse/parse-key.js';
import { parseSingleQuery } from '../../query/parse/parse-query.js';
import type { RestContext } from '../action.js';
import { parseKeyQuery } from '../../calls/entry-query.js';
import { entryEnvelope } from '../response/envelopes.js';

export interface CheckedRequest {
  readonly type: ContentType;
  readonly condition: Condition | undefined;
  readonly query: QueryInput;
  readonly caller: Caller;
  /** Undefined where code of a project calls a core action without a request. */
  readonly response: ServerResponse | undefined;
}

/** The conditions of writes as checks, by how the request names its entry: what a GET of the same address answers. */
export function createEntryChecks({
  documents,
  limits,
  responseLimit,
}: Pick<RestContext, 'documents' | 'limits' | 'responseLimit'>) {
  const check = (
    { type, condition, caller, response }: CheckedRequest,
    read: (present: Present<unknown>) => Promise<unknown>,
  ): CheckVersion | undefined => {
    const { hasEnvelope = true, readOne = `${type.uid}.${type.kind === 'singleType' ? 'find' : 'findOne'}` } =
      listingOf(type) ?? {};
    const shown = hasEnvelope ? entryEnvelope : presentEntry;
    const body = async () => serializeJson(await read(shown), responseLimit);
    return unchanged(condition, { caller, readBy: readOne, response, read: body });
  };
  return {
    /** @throws AppError forbidden */
    one: (checked: CheckedRequest, id: string, request: EntryRequest): CheckVersion | undefined => {
      const { type } = checked;
      const shown: EntryRequest = publishesCopy(type, request) ? { ...request, status: 'draft' } : request;
      return check(checked, (present) => documents.readEntry(type, requireId(id), shown, present));
    },
    /** @throws AppError forbidden */
    single: (checked: CheckedRequest, request: EntryRequest): CheckVersion | undefined => {
      const { type } = checked;
      const input = publishesCopy(type, request) ? { ...checked.query, status: 'draft' } : checked.query;
      const query = () => parseSingleQuery(input, type, limits);
      return check(checked, (present) => documents.read({ ...request, action: 'findSingle', query: query() }, present));
    },
    /** @throws AppError forbidden */
    byKey: (checked: CheckedRequest, key: Key, request: EntryRequest): CheckVersion | undefined => {
      const query = () => parseKeyQuery(key, checked.query, checked.type, limits);
      return check(checked, (present) => documents.read({ ...request, action: 'findByKey', query: query() }, present));
    },
  };
}

/** What such a write publishes is the latest state, also what others have prepared: so the tag is that of this state. */
const publishesCopy = (type: ContentType, { status }: EntryRequest): boolean =>
  type.copies !== undefined && status === 'published';

export type EntryChecks = ReturnType<typeof createEntryChecks>;
