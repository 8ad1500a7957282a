import type { ContentType } from '../content-types/model/types.js';
import type { EntryRequest } from '../documents/context.js';
import type { Documents } from '../documents/documents.js';
import { listingOf } from '../documents/listings.js';
import { presentEntry, type Present } from '../documents/read-operation.js';
import type { CheckVersion } from '../documents/write/conditional/while-unchanged.js';
import { requireId } from '../query/parse/input.js';
import type { Key } from '../query/parse/parse-key.js';
import { parseSingleQuery, type QueryLimits } from '../query/parse/parse-query.js';
import type { AskedWrite } from './asked-write.js';
import { parseKeyQuery } from './entry-query.js';
import { serializeJson } from './serialize.js';
import { unchanged } from './unchanged.js';

/** What decides about the condition of a write. */
export type CheckedWrite = Pick<AskedWrite, 'type' | 'terms' | 'query' | 'caller' | 'response'>;

interface CheckParts {
  readonly documents: Documents;
  readonly limits: QueryLimits;
  readonly responseLimit: number;
  /** The answer to a read of one entry. */
  readonly presentOne: Present<unknown>;
}

/** The conditions of writes as checks, by how the request names its entry: what a GET of the same address answers. */
export function createEntryChecks({ documents, limits, responseLimit, presentOne }: CheckParts) {
  const check = (
    { type, terms: { condition }, caller, response }: CheckedWrite,
    read: (present: Present<unknown>) => Promise<unknown>,
  ): CheckVersion | undefined => {
    const { hasEnvelope = true, readOne = `${type.uid}.${type.kind === 'singleType' ? 'find' : 'findOne'}` } =
      listingOf(type) ?? {};
    const body = async () => serializeJson(await read(hasEnvelope ? presentOne : presentEntry), responseLimit);
    return unchanged(condition, { caller, readBy: readOne, response, read: body });
  };
  return {
    /** @throws AppError forbidden */
    one: (checked: CheckedWrite, id: string, request: EntryRequest): CheckVersion | undefined => {
      const { type } = checked;
      const shown: EntryRequest = publishesCopy(type, request) ? { ...request, status: 'draft' } : request;
      return check(checked, (present) => documents.readEntry(type, requireId(id), shown, present));
    },
    /** @throws AppError forbidden */
    single: (checked: CheckedWrite, request: EntryRequest): CheckVersion | undefined => {
      const { type } = checked;
      const input = publishesCopy(type, request) ? { ...checked.query, status: 'draft' } : checked.query;
      const query = () => parseSingleQuery(input, type, limits);
      return check(checked, (present) => documents.read({ ...request, action: 'findSingle', query: query() }, present));
    },
    /** @throws AppError forbidden */
    byKey: (checked: CheckedWrite, key: Key, request: EntryRequest): CheckVersion | undefined => {
      const query = () => parseKeyQuery(key, checked.query, checked.type, limits);
      return check(checked, (present) => documents.read({ ...request, action: 'findByKey', query: query() }, present));
    },
  };
}

/**
 * What such a write publishes is the latest state, also what others have prepared: so the tag is that of this state.
 */
const publishesCopy = (type: ContentType, { status }: EntryRequest): boolean =>
  type.copies !== undefined && status === 'published';

export type EntryChecks = ReturnType<typeof createEntryChecks>;

/** Of a door whose writes have no conditions. */
export const noChecks: EntryChecks = { one: () => undefined, single: () => undefined, byKey: () => undefined };
