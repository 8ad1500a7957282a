import type { Data } from '../config/record.js';
import type { ContentType, Registry } from '../content-types/model/types.js';
import { AppError } from '../errors/app-error.js';
import { NO_LIMIT } from '../query/ast.js';
import type { QueryInput } from '../query/parse/input.js';
import { parseQuery, type QueryLimits } from '../query/parse/parse-query.js';
import { parseSelection } from '../query/parse/parse-selection.js';
import { hasStatus, parseStatus } from '../query/parse/parse-status.js';
import { parseValues } from '../query/plugin-parameters.js';
import { type Caller, system } from './caller.js';
import type { EntryRequest } from './context.js';
import type { Documents } from './documents.js';
import { presentList } from './read-operation.js';
import { plainEntry } from '../query/entry-presenter.js';
import { withoutDrafts } from './hide-drafts.js';
import type { Audience } from '../query/visibility.js';

/** An entry as a plain record. */
export type Entry = { readonly id: number } & Data;

/** Reads and writes without a client. */
export function createEntries(documents: Documents, { contentTypes }: Registry, limits: QueryLimits) {
  const typeOf = (uid: string): ContentType => {
    const type = contentTypes.get(uid);
    if (type === undefined) throw new Error(`unknown content type "${uid}"`);
    return type;
  };
  const requestFor = (type: ContentType, params: QueryInput, by: Reader = code): EntryRequest => ({
    caller: by.caller,
    presenter: plainEntry,
    selection: parseSelection(params, type, by.audience, limits),
    parameters: parseValues(params, type, 'scope'),
    ...(hasStatus(type) && { status: parseStatus(params['status'], type) }),
    ...(by.audience === 'internal' && { unlimited: true }),
  });
  const list = async (uid: string, params: QueryInput, by: Reader, maxLimit: number): Promise<readonly Entry[]> => {
    const query = parseQuery(params, typeOf(uid), by.audience, { ...limits, withCount: false, maxLimit });
    const request = { action: 'find', query, caller: by.caller, presenter: plainEntry } as const;
    return (await documents.read(request, presentList)).entries as readonly Entry[];
  };
  const readOne = async (uid: string, id: number, params: QueryInput, by: Reader): Promise<Entry> => {
    const type = typeOf(uid);
    return (await documents.readEntry(type, id, requestFor(type, params, by))) as Entry;
  };
  /**
   * Entries, at most `pagination.limit` of them; drafts too, unless `publicationState` is `live`. Their working copies are shown only if the
   * parameters ask for this state.
   */
  const findMany = (uid: string, params: QueryInput = {}): Promise<readonly Entry[]> =>
    !['publicationState', ...(hasStatus(typeOf(uid)) ? ['status', 'modified'] : [])].some((name) =>
      Object.hasOwn(params, name),
    )
      ? list(uid, { publicationState: 'preview', ...params }, ofEntries, NO_LIMIT)
      : list(uid, params, code, NO_LIMIT);
  return {
    findMany,
    findFirst: async (uid: string, params: QueryInput = {}): Promise<Entry | undefined> =>
      (await findMany(uid, { ...params, pagination: { limit: 1 } }))[0],
    /** @throws AppError notFound */
    findOne: (uid: string, id: number, params: QueryInput = {}): Promise<Entry> => readOne(uid, id, params, code),
    /**
     * What a caller would read by the REST API: visible entries with readable attributes, in the limits of pages. Whether the caller may `find` or
     * `findOne` is for the `action` of the route.
     */
    as: (caller: Caller) => ({
      findMany: (uid: string, params: QueryInput = {}): Promise<readonly Entry[]> =>
        list(uid, params, { caller, audience: 'client' }, limits.maxLimit),
      /** @throws AppError notFound */
      findOne: (uid: string, id: number, params: QueryInput = {}): Promise<Entry> =>
        readOne(uid, id, params, { caller, audience: 'client' }),
    }),
    count: (uid: string, params: QueryInput = {}): Promise<number> => {
      const type = typeOf(uid);
      const { filter, modified } = parseQuery(params, type, 'internal', limits);
      if (modified === true) throw new AppError('invalidParameter', 'modified');
      return documents.count(type, filter);
    },
    /** @throws AppError validation, invalidValue, missingRelations */
    create: async (uid: string, data: Data, params: QueryInput = {}): Promise<Entry> => {
      const type = typeOf(uid);
      return (await documents.create(type, data, requestFor(type, params))) as Entry;
    },
    /** @throws AppError notFound, validation, invalidValue, missingRelations */
    update: async (uid: string, id: number, data: Data, params: QueryInput = {}): Promise<Entry> => {
      const type = typeOf(uid);
      return (await documents.update({ type, id }, data, requestFor(type, params))).entry as Entry;
    },
    /** @throws AppError notFound */
    delete: async (uid: string, id: number, params: QueryInput = {}): Promise<Entry> => {
      const type = typeOf(uid);
      return (await documents.delete({ type, id }, requestFor(type, params))) as Entry;
    },
  };
}

/** Who reads, and which attributes and operators they can name. */
interface Reader {
  readonly caller: Caller;
  readonly audience: Audience;
}

/** Plugins and code of the project, with all permissions. */
const code: Reader = { caller: system, audience: 'internal' };

/** The same, to whom entries are shown without their working copies. */
const ofEntries: Reader = { ...code, caller: withoutDrafts({ ...system, may: () => false }) };

/**
 * The documents service for internal and project code: by uid, with the parameters of the REST API, but with private
 * attributes and the permissions of the system. Entries are plain records.
 */
export type Entries = ReturnType<typeof createEntries>;
