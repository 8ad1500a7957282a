import { LRUCache } from 'lru-cache';
import { BSON, type Db, type Document } from 'mongodb';
import type { ContentType } from '../../content-types/model/types.js';
import { hasCode } from '../../errors/app-error.js';
import { keyedCommand, type KeyedRead } from '../compile/read/compile-query.js';
import { coalesce } from '../coordination/coalesce.js';
import type { QueryCosts } from '../observe/query-cost.js';
import { memoize } from '../../query/memoize.js';
import { planKey } from '../cache/versioned-cache.js';
import { withoutPasswords } from './without-passwords.js';
import { documentOf, pageIn, readRows, type Fetched } from './read-batch.js';

/** An entry as a new object, with the localizations that are looked up. */
export interface FoundEntry {
  readonly entry: Document;
  readonly fetched: Fetched;
}

/**
 * Reads an entry; undefined if it does not exist.
 * @throws AppError unavailable, outOfTime, answerTooLarge
 */
export type FindEntry = (read: KeyedRead) => Promise<FoundEntry | undefined>;

/** The maximum number of forms of reads; the least recently used are evicted first. */
const CACHE_SIZE = 1000;

/** Concurrent reads that differ only in the value of the key share one command. */
export function createEntryLoader(db: Db, timeout: number, costs?: QueryCosts): FindEntry {
  const loaders = new LRUCache<string, Load>({ max: CACHE_SIZE });
  const textOf = memoize((projection: Document) => JSON.stringify(projection));
  return ({ value, ...read }) => {
    const { collection, field, rest, projection, lookups } = read;
    const form = `${collection} ${field} ${textOf(projection)}`;
    const key = rest.length + lookups.length === 0 ? form : form + planKey(rest, lookups);
    const cached = loaders.get(key);
    if (cached !== undefined) return cached(value);
    const readSome: Read = async (condition, limit) => {
      const { command, isGrouped } = keyedCommand(read, condition, limit);
      const rows = await readRows(db, command, timeout);
      const { page, fetched } = isGrouped ? pageIn(rows[0] ?? {}) : { page: rows, fetched: {} };
      const fetchedFor = divide(fetched);
      return page.map(documentOf).map((entry) => ({ entry, fetched: fetchedFor(entry) }));
    };
    const load = coalesceCharged((values: readonly Value[]) => readEntries(readSome, field, values), costs);
    loaders.set(key, load);
    return load(value);
  };
}

/** Reads an entry by its id, as it is stored. */
export const readWith =
  (findEntry: FindEntry) =>
  async (
    { collectionName, attributes }: Pick<ContentType, 'attributes' | 'collectionName'>,
    id: number,
  ): Promise<Document | undefined> => {
    const key = { field: '_id', value: id, rest: [], projection: withoutPasswords(attributes), lookups: [] };
    return (await findEntry({ collection: collectionName, ...key }))?.entry;
  };

/** Picks each entry's localizations from one shared result. */
function divide(fetched: Fetched): (entry: Document) => Fetched {
  const lists = Object.entries(fetched).map(
    ([name, list]) =>
      [name, new Map(list.map((localization) => [localization['_id'] as unknown, localization]))] as const,
  );
  return ({ localizations = [] }) =>
    Object.fromEntries(
      lists.map(([name, byId]) => [name, (localizations as readonly unknown[]).flatMap((id) => byId.get(id) ?? [])]),
    );
}

type Value = KeyedRead['value'];
type Load = (value: Value) => Promise<FoundEntry | undefined>;

/** Coalesces reads; each is charged for the shared commands, and for its part of their replies. */
function coalesceCharged(
  run: (values: readonly Value[]) => Promise<readonly (FoundEntry | undefined)[]>,
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
type Read = (condition: Document, limit: number) => Promise<readonly FoundEntry[]>;

/** The entries by their keys, in this order, each a separate object. */
async function readEntries(
  read: Read,
  field: string,
  values: readonly Value[],
): Promise<readonly (FoundEntry | undefined)[]> {
  const unique = [...new Set(values)];
  const entries = new Map((await readAll(read, unique)).map((row) => [row.entry[field] as Value, row]));
  const returned = new Set<Value>();
  return values.map((value) => {
    const stored = entries.get(value);
    if (stored === undefined || !returned.has(value)) {
      returned.add(value);
      return stored;
    }
    return { ...stored, entry: BSON.deserialize(BSON.serialize(stored.entry)) };
  });
}

/** One by one if they do not fit into one reply. */
async function readAll(read: Read, values: readonly Value[]): Promise<readonly FoundEntry[]> {
  const [value] = values;
  if (values.length === 1) return read({ $eq: value }, 1);
  try {
    return await read({ $in: values }, values.length);
  } catch (error) {
    if (!hasCode(error, 'answerTooLarge')) throw error;
    return (await Promise.all(values.map((single) => readAll(read, [single])))).flat();
  }
}
