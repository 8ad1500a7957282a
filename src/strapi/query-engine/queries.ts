import type { Attribute, ContentType } from '../../content-types/model/types.js';
import type { Anything, Lifecycles, Named, Runtime } from '../strapi.js';
import { createReads } from './reads.js';
import { isTwoRows } from './versions.js';
import { RELATED } from './related-files.js';
import { createWrites, type EntityCall, type FindOne } from './writes.js';

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
export function createQueries(uid: string, runtime: Runtime, { around }: Lifecycles, call?: EntityCall): Queries {
  const client = call?.client;
  const reads = createReads(
    uid,
    runtime,
    client && ((type) => (runtime.documents.hidesDrafts(type, client) ? { kind: 'live' } : undefined)),
  );
  const findMany = (params: Named = {}): Promise<unknown> => around(uid, 'FindMany', params, reads.all);
  const findOne = (params: Named = {}): Promise<Named | null> =>
    around(uid, 'FindOne', params, call?.isPreviewed === true ? reads.shown : reads.first);
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
    ...createWrites(uid, runtime.documents, {
      around,
      reads,
      findOne,
      call,
      isPublishedRow: isTwoRows(reads.type, runtime),
    }),
    ...(isTwoRows(reads.type, runtime) && refusedWrites(uid)),
    ...createLoads(reads.type, findOne),
  };
}

/** Writes of single rows, of which an entry here is two to code. */
export const rowWrites = ['createMany', 'update', 'updateMany', 'delete', 'deleteMany'] as const;

type RowWrites = Record<(typeof rowWrites)[number], () => Promise<never>>;

function refusedWrites(uid: string): RowWrites {
  const refuse = (method: string) => async (): Promise<never> => {
    throw new Error(
      `strapi.db.query('${uid}').${method} is not supported for a type with drafts: a draft and what is published of it are one entry here; use strapi.documents`,
    );
  };
  return Object.fromEntries(rowWrites.map((method) => [method, refuse(method)])) as RowWrites;
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
      const attribute = attributes.get(field);
      if (attribute === undefined || !isPaged(attribute)) {
        throw new Error(`Invalid load. Expected ${field} to be an anyToMany relational attribute`);
      }
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
