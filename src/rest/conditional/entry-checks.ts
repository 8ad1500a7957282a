import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { ContentType } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import { listingOf } from '../../documents/changes/listings.js';
import type { EntryRequest } from '../../documents/context.js';
import { entryOf, entryWith } from '../../documents/read-operation.js';
import type { CheckVersion } from '../../documents/write/conditional/while-unchanged.js';
import { type QueryInput, requireId } from '../../query/parse/input.js';
import type { Key } from '../../query/parse/parse-key.js';
import { parseSingleQuery } from '../../query/parse/parse-query.js';
import type { RestContext } from '../action.js';
import { parseKeyQuery } from '../read-actions.js';
import { authorise } from '../requests.js';
import { envelope, restPresenter, serializeJson } from '../response/serialize.js';
import { refuseAbsence, versionCheck } from './version-check.js';

export interface CheckedRequest {
  readonly type: ContentType;
  readonly headers: IncomingHttpHeaders;
  readonly query: QueryInput;
  readonly caller: Caller;
  /** Undefined where code of a project calls a core action without a request. */
  readonly response: ServerResponse | undefined;
}

const anEntry = entryOf(restPresenter);

/** The `If-Match` checks of writes, by how the request names its entry. They compare what the caller can read. */
export function createEntryChecks({
  documents,
  limits,
  responseLimit,
}: Pick<RestContext, 'documents' | 'limits' | 'responseLimit'>) {
  const check = (
    { type, headers, caller, response }: CheckedRequest,
    read: () => Promise<unknown>,
  ): CheckVersion | undefined => {
    const { isFlat = false, readOne = `${type.uid}.${type.kind === 'singleType' ? 'find' : 'findOne'}` } =
      listingOf(type) ?? {};
    const shown = (entry: unknown): unknown => (isFlat ? entry : envelope(entry));
    const compare = versionCheck(headers, async () => serializeJson(shown(await read()), responseLimit));
    if (compare !== undefined) authorise(caller, readOne, response);
    return compare;
  };
  return {
    /** @throws AppError forbidden, badRequest */
    one: (checked: CheckedRequest, id: string, request: EntryRequest): CheckVersion | undefined => {
      refuseAbsence(checked.headers);
      return check(checked, () => documents.read(...entryWith(checked.type, requireId(id), request)));
    },
    /** @throws AppError forbidden, badRequest */
    single: (checked: CheckedRequest, request: EntryRequest): CheckVersion | undefined => {
      const query = () => parseSingleQuery(checked.query, checked.type, limits);
      return check(checked, () => documents.read({ action: 'findSingle', query: query() }, request, anEntry));
    },
    /** @throws AppError forbidden, badRequest */
    byKey: (checked: CheckedRequest, key: Key, request: EntryRequest): CheckVersion | undefined => {
      const query = () => parseKeyQuery(key, checked.query, checked.type, limits);
      return check(checked, () => documents.read({ action: 'findByKey', query: query() }, request, anEntry));
    },
  };
}

export type EntryChecks = ReturnType<typeof createEntryChecks>;
