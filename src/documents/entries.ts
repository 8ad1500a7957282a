import type { Data } from '../config/record.js';
import type { ContentType, Registry } from '../content-types/model/types.js';
import { AppError } from '../errors/app-error.js';
import type { Group } from '../mongo/read/execute-groups.js';
import { NO_LIMIT } from '../query/ast.js';
import type { QueryInput } from '../query/parse/input.js';
import { parseAggregate } from '../query/parse/parse-aggregate.js';
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

/** A page of groups, and the number of all. */
export interface Groups {
  readonly groups: readonly Group[];
  readonly total: number | undefined;
}

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
  /** Drafts are shown, unless the parameters name a state. */
  const asCode = (uid: string, params: QueryInput): readonly [QueryInput, Reader] => {
    const names = ['publicationState', ...(hasStatus(typeOf(uid)) ? ['status', 'modified'] : [])];
    const isStated = names.some((name) => Object.hasOwn(params, name));
    return isStated ? [params, code] : [{ publicationState: 'preview', ...params }, ofEntries];
  };
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
   * Entries, at most `pagination.limit` of them; drafts too, unless `publicationState` is `live`. Their working copies
   * are shown only if the parameters ask for this state.
   */
  const findMany = (uid: string, params: QueryInput = {}): Promise<readonly Entry[]> =>
    list(uid, ...asCode(uid, params), NO_LIMIT);
  const group = async (uid: string, params: QueryInput, by: Reader, maxLimit: number): Promise<Groups> => {
    const query = parseAggregate(params, typeOf(uid), by.audience, { ...limits, maxLimit });
    const request = { action: 'find', query, caller: by.caller, presenter: plainEntry } as const;
    const { entries, total } = await documents.read(request, presentList);
    return { groups: entries as readonly Group[], total };
  };
  return {
    findMany,
    /**
     * Groups of entries, as `aggregate` of the REST API; of drafts too, as in `findMany`.
     * @throws AppError invalidParameter, tooManyGroups
     */
    aggregate: (uid: string, params: QueryInput = {}): Promise<Groups> => group(uid, ...asCode(uid, params), NO_LIMIT),
    findFirst: async (uid: string, params: QueryInput = {}): Promise<Entry | undefined> =>
      (await findMany(uid, { ...params, pagination: { limit: 1 } }))[0],
    /** @throws AppError notFound */
    findOne: (uid: string, id: number, params: QueryInput = {}): Promise<Entry> => readOne(uid, id, params, code),
    /**
     * What a caller would read by the REST API: visible entries with readable attributes, in the limits of pages.
     * Whether the caller may `find` or `findOne` is for the `action` of the route.
     */
    as: (caller: Caller) => ({
      findMany: (uid: string, params: QueryInput = {}): Promise<readonly Entry[]> =>
        list(uid, params, { caller, audience: 'client' }, limits.maxLimit),
      aggregate: (uid: string, params: QueryInput = {}): Promise<Groups> =>
        group(uid, params, { caller, audience: 'client' }, limits.maxLimit),
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
    /** See `appendEntries`: several new entries as they are, without hooks and events. @throws AppError unavailable */
    append: (uid: string, rows: readonly Data[]): Promise<readonly number[]> => documents.append(typeOf(uid), rows),
    /**
     * Changes all entries that match the filters, without validation, and returns their number.
     * @param caller whom hooks see
     */
    updateMany: (uid: string, params: QueryInput, data: Data, caller: Caller = system): Promise<number> => {
      const type = typeOf(uid);
      const { filter } = parseQuery(params, type, 'internal', limits);
      return documents.updateMany(type, filter, data, requestFor(type, {}, { ...code, caller }));
    },
    /** Deletes all entries that match the filters, and returns their number. @param caller whom hooks see */
    deleteMany: (uid: string, params: QueryInput, caller: Caller = system): Promise<number> => {
      const type = typeOf(uid);
      const { filter } = parseQuery(params, type, 'internal', limits);
      return documents.deleteMany(type, filter, requestFor(type, {}, { ...code, caller }));
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
