import { LRUCache } from 'lru-cache';
import { BSON, type Db, type Document } from 'mongodb';
import { hasCode } from '../../errors/app-error.js';
import type { IdRead } from '../compile/read/compile-query.js';
import { coalesce } from '../coordination/coalesce.js';
import type { QueryCosts } from '../observe/query-cost.js';
import { readBatch } from './read-batch.js';

/**
 * Reads an entry as a new object; undefined if it does not exist.
 * @throws AppError unavailable, outOfTime, answerTooLarge
 */
export type FindEntry = (read: IdRead) => Promise<Document | undefined>;

/** The maximum number of pairs of collection and projection; the least recently used are evicted first. */
const CACHE_SIZE = 1000;

/** Concurrent reads of an entry, of one collection and projection, share one command. */
export function createEntryLoader(db: Db, timeout: number, costs?: QueryCosts): FindEntry {
  const loaders = new LRUCache<string, (id: number) => Promise<Document | undefined>>({ max: CACHE_SIZE });
  return ({ collection, id, projection }) => {
    const key = `${collection} ${JSON.stringify(projection)}`;
    const cached = loaders.get(key);
    if (cached !== undefined) return cached(id);
    const read: Read = (filter, limit) => readBatch(db, { find: collection, filter, projection, limit }, timeout);
    const load = coalesceCharged((ids: readonly number[]) => readEntries(read, ids), costs);
    loaders.set(key, load);
    return load(id);
  };
}

/** Coalesces reads; each is charged for the shared commands, and for its part of their replies. */
function coalesceCharged(
  run: (ids: readonly number[]) => Promise<readonly (Document | undefined)[]>,
  costs: QueryCosts | undefined,
): (id: number) => Promise<Document | undefined> {
  if (costs === undefined) return coalesce(run);
  const share = coalesce((ids: readonly number[]) =>
    costs.measure(async (total) => {
      const entries = await run(ids);
      const part = { commands: total.commands, bytes: Math.ceil(total.bytes / ids.length) };
      return entries.map((entry) => ({ entry, cost: { ...part, documents: entry === undefined ? 0 : 1 } }));
    }),
  );
  return async (id) => {
    const { entry, cost } = await share(id);
    costs.charge(cost);
    return entry;
  };
}

type Read = (filter: Document, limit: number) => Promise<readonly Document[]>;

/** The entries by their ids, in this order, each a separate object. */
async function readEntries(read: Read, ids: readonly number[]): Promise<readonly (Document | undefined)[]> {
  const unique = [...new Set(ids)];
  const entries = new Map((await readAll(read, unique)).map((entry) => [entry['_id'] as number, entry]));
  const returned = new Set<number>();
  return ids.map((id) => {
    const entry = entries.get(id);
    if (entry === undefined || !returned.has(id)) {
      returned.add(id);
      return entry;
    }
    return BSON.deserialize(BSON.serialize(entry));
  });
}

/** One by one if they do not fit into one reply. */
async function readAll(read: Read, ids: readonly number[]): Promise<readonly Document[]> {
  const [id] = ids;
  if (ids.length === 1) return read({ _id: { $eq: id } }, 1);
  try {
    return await read({ _id: { $in: ids } }, ids.length);
  } catch (error) {
    if (!hasCode(error, 'answerTooLarge')) throw error;
    return (await Promise.all(ids.map((single) => readAll(read, [single])))).flat();
  }
}
