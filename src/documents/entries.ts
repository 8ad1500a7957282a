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

/** Reads of entries by uid, with the parameters of the REST API. */
export interface EntryReads {
  /** At most `pagination.limit` of them; for a caller, in the limits of pages. @throws AppError invalidParameter */
  readonly findMany: (uid: string, params?: QueryInput) => Promise<readonly Entry[]>;
  /** Groups of entries, as `aggregate` of the REST API. @throws AppError invalidParameter, tooManyGroups */
  readonly aggregate: (uid: string, params?: QueryInput) => Promise<Groups>;
  /** @throws AppError notFound */
  readonly findOne: (uid: string, id: number, params?: QueryInput) => Promise<Entry>;
}

/**
 * The documents service for internal and project code: by uid, with the parameters of the REST API, but with private
 * attributes and the permissions of the system. Entries are plain records. Lists and groups have drafts too, unless
 * `publicationState` is `live`. Working copies are shown only if the parameters ask for this state.
 */
export interface Entries extends EntryReads {
  readonly findFirst: (uid: string, params?: QueryInput) => Promise<Entry | undefined>;
  /**
   * What a caller would read by the REST API: visible entries with readable attributes, in the limits of pages. Whether
   * the caller may `find` or `findOne` is for the `action` of the route.
   */
  readonly as: (caller: Caller) => EntryReads;
  readonly count: (uid: string, params?: QueryInput) => Promise<number>;
  /** @throws AppError validation, invalidValue, missingRelations */
  readonly create: (uid: string, data: Data, params?: QueryInput) => Promise<Entry>;
  /** @throws AppError notFound, validation, invalidValue, missingRelations */
  readonly update: (uid: string, id: number, data: Data, params?: QueryInput) => Promise<Entry>;
  /**
   * Stores several new entries as they are, without hooks and events, and returns their ids; see `appendEntries`.
   * @throws AppError unavailable
   */
  readonly append: (uid: string, rows: readonly Data[]) => Promise<readonly number[]>;
  /**
   * Changes all entries that match the filters, without validation, and returns their number.
   * @param caller whom hooks see; default: the system
   */
  readonly updateMany: (uid: string, params: QueryInput, data: Data, caller?: Caller) => Promise<number>;
  /** Deletes all entries that match the filters, and returns their number. @param caller as in `updateMany` */
  readonly deleteMany: (uid: string, params: QueryInput, caller?: Caller) => Promise<number>;
  /** @throws AppError notFound */
  readonly delete: (uid: string, id: number, params?: QueryInput) => Promise<Entry>;
}

/** Reads and writes without a client. */
export function createEntries(documents: Documents, { contentTypes }: Registry, limits: QueryLimits): Entries {
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
  const findMany: Entries['findMany'] = (uid, params = {}) => list(uid, ...asCode(uid, params), NO_LIMIT);
  const group = async (uid: string, params: QueryInput, by: Reader, maxLimit: number): Promise<Groups> => {
    const query = parseAggregate(params, typeOf(uid), by.audience, { ...limits, maxLimit });
    const request = { action: 'find', query, caller: by.caller, presenter: plainEntry } as const;
    const { entries, total } = await documents.read(request, presentList);
    return { groups: entries as readonly Group[], total };
  };
  return {
    findMany,
    aggregate: (uid, params = {}) => group(uid, ...asCode(uid, params), NO_LIMIT),
    findFirst: async (uid, params = {}) => (await findMany(uid, { ...params, pagination: { limit: 1 } }))[0],
    findOne: (uid, id, params = {}) => readOne(uid, id, params, code),
    as: (caller) => ({
      findMany: (uid, params = {}) => list(uid, params, { caller, audience: 'client' }, limits.maxLimit),
      aggregate: (uid, params = {}) => group(uid, params, { caller, audience: 'client' }, limits.maxLimit),
      findOne: (uid, id, params = {}) => readOne(uid, id, params, { caller, audience: 'client' }),
    }),
    count: async (uid, params = {}) => {
      const type = typeOf(uid);
      const { filter, modified } = parseQuery(params, type, 'internal', limits);
      if (modified === true) throw new AppError('invalidParameter', 'modified');
      return documents.count(type, filter);
    },
    create: async (uid, data, params = {}) => {
      const type = typeOf(uid);
      return (await documents.create(type, data, requestFor(type, params))) as Entry;
    },
    update: async (uid, id, data, params = {}) => {
      const type = typeOf(uid);
      return (await documents.update({ type, id }, data, requestFor(type, params))).entry as Entry;
    },
    append: (uid, rows) => documents.append(typeOf(uid), rows),
    updateMany: (uid, params, data, caller = system) => {
      const type = typeOf(uid);
      const { filter } = parseQuery(params, type, 'internal', limits);
      return documents.updateMany(type, filter, data, requestFor(type, {}, { ...code, caller }));
    },
    deleteMany: (uid, params, caller = system) => {
      const type = typeOf(uid);
      const { filter } = parseQuery(params, type, 'internal', limits);
      return documents.deleteMany(type, filter, requestFor(type, {}, { ...code, caller }));
    },
    delete: async (uid, id, params = {}) => {
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
