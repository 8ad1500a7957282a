import type { ContentType } from '../content-types/model/types.js';
import type { Caller } from '../documents/caller.js';
import { emptyQuery } from '../documents/context.js';
import type { ReadRequest } from '../documents/read-operation.js';
import type { Query } from '../query/ast.js';
import { requireId } from '../query/parse/input.js';
import { alternativesOf, refuseAlternatives, selectsAll } from '../query/plugin-parameters.js';
import { readableQuery, type ParsedEntryQuery } from './entry-query.js';

/** A read as a client asks for it: the part of it that neither the caller nor the form of the answer decides. */
type Read = ReadRequest extends infer Request
  ? Request extends ReadRequest
    ? Omit<Request, 'caller' | 'signal' | 'bytesRead' | 'presenter' | 'mayLag'>
    : never
  : never;

/** What a client wants to read, whichever door it came through, and what the answer has. */
export interface ReadCall {
  readonly read: Read;
  readonly answer: 'list' | 'entry' | 'entries' | 'count';
}

/** A request to read, with the parts that a door parses when they are asked for. */
export interface AskedRead {
  readonly type: ContentType;
  readonly caller: Caller;
  /** In the address; empty where it has none. */
  readonly id: string;
  /** The queries of a list, of an entry, and of a single type. */
  readonly list: () => Query;
  readonly entry: () => ParsedEntryQuery;
  readonly single: () => Query;
  /** Whether a preview link shows the entry. @throws AppError unauthorized */
  readonly isPreviewed: (id?: number) => boolean;
  /**
   * Whether code of the project takes part in the action, so that the answer has the entry that the address names, or
   * none.
   */
  readonly isByCode: () => boolean;
  /** The most entries of the answer, where a single type has several; undefined: it has one. */
  readonly maxLimit: number | undefined;
}

type ToCall = (asked: AskedRead) => ReadCall;

/** The reads of Strapi v4, that of an entry by a key, and the count of a list. */
export const readCalls = {
  find: ({ list }) => ({ read: { action: 'find', query: list() }, answer: 'list' }),
  findOne: (asked) => {
    const { query } = readableQuery(asked, 'findOne', asked.entry());
    if (alternativesOf(query) !== undefined && asked.isByCode()) refuseAlternatives(query, CODE_DECIDES);
    const id = requireId(asked.id);
    return { read: { action: 'findOne', query, id, previewed: asked.isPreviewed(id) }, answer: 'entry' };
  },
  findSingle: ({ single, isPreviewed, maxLimit }) => {
    const query = single();
    if (maxLimit === undefined || !selectsAll(query))
      return { read: { action: 'findSingle', query, previewed: isPreviewed() }, answer: 'entry' };
    const pagination = { form: 'offset', start: 0, limit: maxLimit, withCount: false } as const;
    return { read: { action: 'find', query: { ...query, pagination } }, answer: 'entries' };
  },
  findByKey: (asked) => ({
    read: { action: 'findByKey', query: readableQuery(asked, 'findByKey', asked.entry()).query },
    answer: 'entry',
  }),
  count: ({ type, list }: Pick<AskedRead, 'type' | 'list'>) => {
    const { filter, publicationState, parameters, modified } = list();
    const pagination = { form: 'offset', start: 0, limit: 1, withCount: true } as const;
    const own = { filter, publicationState, parameters, pagination, ...(modified && { modified }) };
    return { read: { action: 'find', query: { ...emptyQuery(type), ...own } }, answer: 'count' };
  },
} as const satisfies Readonly<Record<string, ToCall>>;

/** Why an answer can only have the entry that the address names. */
const CODE_DECIDES = 'code of the project decides about the entry that the address names';
