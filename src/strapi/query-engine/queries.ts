import lodash from 'lodash';
import type { Attribute, ContentType } from '../../content-types/model/types.js';
import { hideBehind, hideFrom, type Visible } from '../../query/narrow.js';
import { plainEntry } from '../../query/entry-presenter.js';
import { AppError, hasCode } from '../../errors/app-error.js';
import type { Filter } from '../../query/ast.js';
import type { OpenLifecycles } from './lifecycles.js';
import type { Anything, Named, Runtime } from '../strapi.js';
import { parseDatabaseQuery } from './parse-database-query.js';
import { present } from './present.js';
import { processData, processPlainData } from './process-data.js';
import { addRelated, refuseRelated, RELATED, takeRelated } from './related-files.js';
import { sourceOf } from './source.js';
import { createWrites, type EntityCall, type Writes } from './writes.js';

type Params = Named | undefined;

/** Errors of the filter parser are treated as database errors, which clients do not see. */
async function asDatabaseError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && !hasCode(error, 'unavailable', 'overloaded')) {
      throw new Error(error.message, { cause: error });
    }
    throw error;
  }
}

/**
 * Reads and counts without events. Each is one database read.
 * @param visible the entries that exist for the client; undefined: all
 */
export function createReads(uid: string, runtime: Runtime, visible?: Visible) {
  const { store, registry } = runtime;
  const source = sourceOf(uid, registry);
  const { type, places } = source;
  const read = async (params: Params, hide: typeof hideFrom): Promise<readonly Named[]> => {
    const { rest, related } = takeRelated(uid, params);
    const { query: parsed, presented } = parseDatabaseQuery(type, related === undefined ? rest : withId(rest));
    const query = visible === undefined ? parsed : hide(parsed, visible);
    const { entries } = await store.find({ ...query, ...source });
    const shown = entries.map((entry) => present(entry(plainEntry), presented) as Named);
    return related === undefined ? shown : addRelated(runtime, shown, related);
  };
  const all = (params: Params): Promise<readonly Named[]> => read(params, hideFrom);
  const filterOf = (params: Named): Filter | undefined => {
    const { query } = parseDatabaseQuery(type, lodash.pick(params, ['where', 'filters', '_q']));
    return visible === undefined ? query.filter : hideFrom(query, visible).filter;
  };
  return {
    type,
    /** @throws Error for invalid parameters, without reading anything */
    check: (params: Params): Promise<void> => asDatabaseError(async () => void parseDatabaseQuery(type, params)),
    all: (params: Params): Promise<readonly Named[]> => asDatabaseError(() => all(params)),
    first: (params: Params): Promise<Named | null> =>
      asDatabaseError(async () => (await all({ ...params, limit: 1 }))[0] ?? null),
    /** An entry that the client has written, which it may see. */
    written: (params: Params): Promise<Named | null> =>
      asDatabaseError(async () => (await read(params, hideBehind))[0] ?? null),
    count: (params: Params = {}): Promise<number> =>
      asDatabaseError(async () => store.count(type, filterOf(params), places)),
    filter: (params: Named): Promise<Filter | undefined> => asDatabaseError(async () => filterOf(params)),
  };
}

/** Parameters that select the id as well. */
const withId = ({ select, ...params }: Named): Named =>
  select === undefined || select === null ? params : { ...params, select: ['id', ...[select].flat()] };

const isEmpty = (where: unknown): boolean =>
  typeof where !== 'object' || where === null || Object.keys(where).length === 0;

/** Relations to many entries, and lists of components. */
const isPaged = (attribute: Attribute): boolean =>
  attribute.kind === 'component'
    ? attribute.repeatable
    : attribute.kind === 'relation' && attribute.many && !attribute.media;

/** The methods of `strapi.db.query(uid)`. */
export const queryMethods = [
  'findMany',
  'findOne',
  'count',
  'findWithCount',
  'findPage',
  'create',
  'createMany',
  'update',
  'updateMany',
  'delete',
  'deleteMany',
  'load',
  'loadPages',
  'populate',
] as const;

export type Queries = Readonly<Record<(typeof queryMethods)[number], (...args: Anything[]) => Promise<Anything>>>;

/**
 * `strapi.db.query(uid)`: direct access to entries, without validation and permissions.
 * @param call the call of the entity service that reads or writes by it
 * @throws Error for an unknown uid
 */
export function createQueries(uid: string, runtime: Runtime, { around }: OpenLifecycles, call?: EntityCall): Queries {
  const client = call?.client;
  const reads = createReads(
    uid,
    runtime,
    client && ((type) => (runtime.documents.hidesDrafts(type, client) ? { kind: 'live' } : undefined)),
  );
  const { type } = reads;
  const writes = createWrites(type, runtime.documents, call);
  const process = call === undefined ? processData : (data: unknown): Named => data as Named;
  const findMany = (params: Named = {}): Promise<unknown> => around(uid, 'FindMany', params, reads.all);
  const findOne = (params: Named = {}): Promise<Named | null> => around(uid, 'FindOne', params, reads.first);
  const count = (params: Named = {}): Promise<number> => around(uid, 'Count', params, reads.count);
  const findWithCount = async (params: Named = {}): Promise<readonly [readonly Named[], number]> => {
    const counts: Promise<number>[] = [];
    const list = around(uid, 'FindMany', params, async (current: Named) => {
      const entries = await reads.all(current);
      // As recorded of Strapi v4: `afterCount` runs before `afterFindMany`.
      await Promise.allSettled(counts);
      return entries;
    });
    counts.push(count(params));
    const [entries, total] = await Promise.all([list, counts[0]]);
    return [entries, Number(total)];
  };
  return {
    findMany,
    findOne,
    count,
    findWithCount,
    findPage: async ({ page: number, pageSize: size, ...params }: Named = {}) => {
      const page = Number(number ?? 1);
      const pageSize = Number(size ?? 10);
      const range = { offset: Math.max(page - 1, 0) * pageSize, limit: pageSize };
      const [results, total] = await findWithCount({ ...params, ...range });
      return { results, pagination: { page, pageSize, pageCount: Math.ceil(total / pageSize), total } };
    },
    ...createEventfulWrites(uid, { around, reads, writes, process, findOne }),
    ...createLoads(type, findOne),
  };
}

type FindOne = (params: Named) => Promise<Named | null>;

interface WriteParts {
  readonly around: OpenLifecycles['around'];
  readonly reads: ReturnType<typeof createReads>;
  readonly writes: Writes;
  readonly process: typeof processData;
  readonly findOne: FindOne;
}

/** Writes between their events. */
function createEventfulWrites(uid: string, { around, reads, writes, process, findOne }: WriteParts) {
  const { type } = reads;
  const findWritten = (params: Named): Promise<Named | null> => around(uid, 'FindOne', params, reads.written);
  return {
    create: async (params: Named = {}) =>
      around(uid, 'Create', params, async ({ data, select, populate }) => {
        refuseRelated(uid, data);
        await reads.check({ select, populate });
        const id = await writes.create(process(data, type));
        return findWritten({ where: { id }, select, populate });
      }),
    createMany: async (params: Named = {}) =>
      around(uid, 'CreateMany', params, async ({ data }) => {
        if (!Array.isArray(data)) throw new Error('CreateMany expects data to be an array');
        if (data.length === 0) throw new Error('Nothing to insert');
        const processed = data.map((item) => processPlainData(item, type));
        // An error is thrown after all other writes.
        const created = await Promise.allSettled(processed.map((item) => writes.create(item)));
        const ids = created.map((result) => {
          if (result.status === 'rejected') throw result.reason;
          return result.value;
        });
        return { count: ids.length, ids };
      }),
    update: async (params: Named = {}) =>
      around(uid, 'Update', params, async ({ where, data, select, populate }) => {
        refuseRelated(uid, data);
        const processed = process(data, type);
        if (isEmpty(where)) throw new Error('Update requires a where parameter');
        await reads.check({ select, populate });
        const id: unknown = (await reads.first({ where, select: ['id'] }))?.['id'];
        if (id === undefined || !(await writes.update(Number(id), processed))) return undefined;
        return findWritten({ where: { id }, select, populate });
      }),
    updateMany: async (params: Named = {}) =>
      around(uid, 'UpdateMany', params, async ({ where, data }) => {
        const processed = processPlainData(data, type);
        if (Object.keys(processed).length === 0) throw new Error('Update requires data');
        return { count: await writes.updateMany(await reads.filter({ where }), processed) };
      }),
    delete: async (params: Named = {}) =>
      around(uid, 'Delete', params, async ({ where, select, populate }) => {
        if (isEmpty(where)) throw new Error('Delete requires a where parameter');
        const entry = await findOne(withId({ where, select, populate }));
        if (entry === null) return undefined;
        await writes.delete(Number(entry['id']));
        return entry;
      }),
    deleteMany: async (params: Named = {}) =>
      around(uid, 'DeleteMany', params, async ({ where }) => {
        return { count: await writes.deleteMany(await reads.filter({ where })) };
      }),
  };
}

/** Relations and components of an entry that was read before. */
function createLoads({ uid, attributes }: ContentType, findOne: FindOne) {
  const load = async (id: unknown, populate: unknown): Promise<Named | null> =>
    findOne({ select: ['id'], where: { id }, populate });
  const checkRelations = (names: readonly string[]): void => {
    for (const name of names) {
      if (uid === RELATED.uid && name === RELATED.name) continue;
      const attribute = attributes.get(name);
      if (attribute === undefined || attribute.kind === 'scalar') {
        throw new Error(`Invalid load. Expected ${name} to be a relational attribute`);
      }
    }
  };
  const checkPaged = (name: string): void => {
    const attribute = attributes.get(name);
    if (attribute === undefined || !isPaged(attribute)) {
      throw new Error(`Invalid load. Expected ${name} to be an anyToMany relational attribute`);
    }
  };
  return {
    load: async (entry: Named, fields: string | readonly string[], params: unknown = true) => {
      const names = [fields].flat();
      checkRelations(names);
      const loaded = await load(entry['id'], Object.fromEntries(names.map((name) => [name, params ?? true])));
      if (loaded === null) return null;
      if (typeof fields === 'string') return loaded[fields] as unknown;
      return Object.fromEntries(names.map((name) => [name, loaded[name] as unknown]));
    },
    loadPages: async (entry: Named, field: string, params: Named = {}) => {
      checkPaged(field);
      const page = Math.max(1, Number(params['page'] ?? 1));
      const pageSize = Math.max(1, Number(params['pageSize'] ?? 10));
      const range = { offset: (page - 1) * pageSize, limit: pageSize };
      const [loaded, counted] = await Promise.all([
        load(entry['id'], { [field]: { ...params, ...range } }),
        load(entry['id'], { [field]: { where: params['where'] as unknown, count: true } }),
      ]);
      const total = Number((counted?.[field] as Named | undefined)?.['count'] ?? 0);
      const pagination = { page, pageSize, pageCount: Math.ceil(total / pageSize), total };
      return { results: loaded?.[field] as unknown, pagination };
    },
    populate: async (entry: Named, populate: unknown) => ({ ...entry, ...(await load(entry['id'], populate)) }),
  };
}
