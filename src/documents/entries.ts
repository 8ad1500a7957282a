import type { Data } from '../config/record.js';
import type { ContentType, Registry } from '../content-types/model/types.js';
import { NO_LIMIT } from '../query/ast.js';
import type { QueryInput } from '../query/parse/input.js';
import { parseQuery, type QueryLimits } from '../query/parse/parse-query.js';
import { parseSelection } from '../query/parse/parse-selection.js';
import { parseValues } from '../query/plugin-parameters.js';
import { system } from './caller.js';
import type { EntryRequest } from './context.js';
import type { Documents } from './documents.js';
import { presentList } from './read-operation.js';
import { plainEntry } from '../query/entry-presenter.js';

/** An entry as a plain record. */
export type Entry = { readonly id: number } & Data;

/** Reads and writes without a client. */
export function createEntries(documents: Documents, { contentTypes }: Registry, limits: QueryLimits) {
  const typeOf = (uid: string): ContentType => {
    const type = contentTypes.get(uid);
    if (type === undefined) throw new Error(`unknown content type "${uid}"`);
    return type;
  };
  const requestFor = (type: ContentType, params: QueryInput): EntryRequest => ({
    caller: system,
    presenter: plainEntry,
    selection: parseSelection(params, type, 'internal', limits),
    parameters: parseValues(params, type, 'scope'),
    unlimited: true,
  });
  /** Entries, at most `pagination.limit` of them; drafts too, unless `publicationState` is `live`. */
  const findMany = async (uid: string, params: QueryInput = {}): Promise<readonly Entry[]> => {
    const drafts = { publicationState: 'preview', ...params };
    const query = parseQuery(drafts, typeOf(uid), 'internal', { ...limits, withCount: false, maxLimit: NO_LIMIT });
    const request = { action: 'find', query, caller: system, presenter: plainEntry } as const;
    return (await documents.read(request, presentList)).entries as readonly Entry[];
  };
  return {
    findMany,
    findFirst: async (uid: string, params: QueryInput = {}): Promise<Entry | undefined> =>
      (await findMany(uid, { ...params, pagination: { limit: 1 } }))[0],
    /** @throws AppError notFound */
    findOne: async (uid: string, id: number, params: QueryInput = {}): Promise<Entry> => {
      const type = typeOf(uid);
      return (await documents.readEntry(type, id, requestFor(type, params))) as Entry;
    },
    count: (uid: string, params: QueryInput = {}): Promise<number> => {
      const type = typeOf(uid);
      return documents.count(type, parseQuery(params, type, 'internal', limits).filter);
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

/**
 * The documents service for internal and project code: by uid, with the parameters of the REST API, but with private
 * attributes and the permissions of the system. Entries are plain records.
 */
export type Entries = ReturnType<typeof createEntries>;
