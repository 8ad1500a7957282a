import { LRUCache } from 'lru-cache';
import { BSON, type Db, type Document } from 'mongodb';
import { hasCode } from '../../errors/app-error.js';
import type { KeyedRead } from '../compile/read/compile-query.js';
import { coalesce } from '../coordination/coalesce.js';
import type { QueryCosts } from '../observe/query-cost.js';
import { planKey } from '../cache/versioned-cache.js';
import { readBatch } from './read-batch.js';

/**
 * Reads an entry as a new object; undefined if it does not exist.
 * @throws AppError unavailable, outOfTime, answerTooLarge
 */
export type FindEntry = (read: KeyedRead) => Promise<Document | undefined>;

/** The maximum number of forms of reads; the least recently used are evicted first. */
const CACHE_SIZE = 1000;

/** Concurrent reads that differ only in the value of the key share one command. */
export function createEntryLoader(db: Db, timeout: number, costs?: QueryCosts): FindEntry {
  const loaders = new LRUCache<string, Load>({ max: CACHE_SIZE });
  const texts = new WeakMap<Document, string>();
  const textOf = (projection: Document): string => {
    const text = texts.get(projection) ?? JSON.stringify(projection);
    texts.set(projection, text);
    return text;
  };
  return ({ collection, field, value, rest, projection }) => {
    const form = `${collection} ${field} ${textOf(projection)}`;
    const key = rest.length === 0 ? form : form + planKey(rest);
    const cached = loaders.get(key);
    if (cached !== undefined) return cached(value);
    const read: Read = (condition, limit) => {
      const filter = rest.length === 0 ? { [field]: condition } : { $and: [{ [field]: condition }, ...rest] };
      return readBatch(db, { find: collection, filter, projection, limit }, timeout);
    };
    const load = coalesceCharged((values: readonly Value[]) => readEntries(read, field, values), costs);
    loaders.set(key, load);
    return load(value);
  };
}

type Value = KeyedRead['value'];
type Load = (value: Value) => Promise<Document | undefined>;

/** Coalesces reads; each is charged for the shared commands, and for its part of their replies. */
function coalesceCharged(
  run: (values: readonly Value[]) => Promise<readonly (Document | undefined)[]>,
  costs: QueryCosts | undefined,
): Load {
  if (costs === undefined) return coalesce(run);
  const share = coalesce((values: readonly Value[]) =>
    costs.measure(async (total) => {
      const entries = await run(values);
      const part = { commands: total.commands, bytes: Math.ceil(total.bytes / values.length) };
      return entries.map((entry) => ({ entry, cost: { ...part, documents: entry === undefined ? 0 : 1 } }));
    }),
  );
  return async (value) => {
    const { entry, cost } = await share(value);
    costs.charge(cost);
    return entry;
  };
}

/** Reads entries by a condition on the field of the key. */
type Read = (condition: Document, limit: number) => Promise<readonly Document[]>;

/** The entries by their keys, in this order, each a separate object. */
async function readEntries(
  read: Read,
  field: string,
  values: readonly Value[],
): Promise<readonly (Document | undefined)[]> {
  const unique = [...new Set(values)];
  const entries = new Map((await readAll(read, unique)).map((entry) => [entry[field] as Value, entry]));
  const returned = new Set<Value>();
  return values.map((value) => {
    const entry = entries.get(value);
    if (entry === undefined || !returned.has(value)) {
      returned.add(value);
      return entry;
    }
    return BSON.deserialize(BSON.serialize(entry));
  });
}

/** One by one if they do not fit into one reply. */
async function readAll(read: Read, values: readonly Value[]): Promise<readonly Document[]> {
  const [value] = values;
  if (values.length === 1) return read({ $eq: value }, 1);
  try {
    return await read({ $in: values }, values.length);
  } catch (error) {
    if (!hasCode(error, 'answerTooLarge')) throw error;
    return (await Promise.all(values.map((single) => readAll(read, [single])))).flat();
  }
}
