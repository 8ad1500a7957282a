import { BSON, type Db, type Document } from 'mongodb';
import type { ContentType } from '../../content-types/model/types.js';
import { hasCode } from '../../errors/app-error.js';
import { heldBytes } from '../../query/held-bytes.js';
import { createSizedCache } from '../../query/sized-cache.js';
import { coalesce } from '../coordination/coalesce.js';
import type { QueryCosts } from '../observe/query-cost.js';
import { readBatch } from './read-batch.js';

/** What names an entry: a value that at most one has at this path, among those that meet the other conditions. */
export interface EntryName {
  readonly path: string;
  readonly value: number | string;
  readonly others?: Document;
}

interface EntryRead extends EntryName {
  readonly collection: string;
  /** It has the path. */
  readonly projection: Document;
}

/**
 * Reads an entry, as a new object; undefined if it does not exist.
 * @throws AppError unavailable, outOfTime, answerTooLarge
 */
export type FindEntry = (read: EntryRead) => Promise<Document | undefined>;

/** Bytes of all collections and projections with their functions, and of the functions of one. */
const CACHE_BYTES = 4 * 2 ** 20;
const BYTES_OF_FUNCTIONS = 2000;
/** How often a projection is held as its text is long: as an object and as a command. */
const FORMS_OF_PROJECTION = 4;

/** Concurrent reads that differ only in the value that names the entry share one command. */
export function createEntryLoader(db: Db, timeout: number, costs?: QueryCosts): FindEntry {
  const loaders = createSizedCache<Load>({
    bytes: CACHE_BYTES,
    sizeOf: (_load, key) => BYTES_OF_FUNCTIONS + heldBytes(key) * FORMS_OF_PROJECTION,
  });
  return ({ collection, path, value, others = {}, projection }) => {
    const key = `${collection} ${path} ${JSON.stringify([others, projection])}`;
    const cached = loaders.get(key);
    if (cached !== undefined) return cached(value);
    const read: Read = (named, limit) =>
      readBatch(db, { find: collection, filter: { [path]: named, ...others }, projection, limit }, timeout);
    const load = coalesceCharged((values: readonly Value[]) => readEntries(read, path, values), costs);
    loaders.set(key, load);
    return load(value);
  };
}

type Value = EntryName['value'];
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

type Read = (condition: Document, limit: number) => Promise<readonly Document[]>;

/** The entries with these values, in this order, each a separate object. */
async function readEntries(
  read: Read,
  path: string,
  values: readonly Value[],
): Promise<readonly (Document | undefined)[]> {
  const found = await readAll(read, [...new Set(values)]);
  const entries = new Map(found.map((entry) => [entry[path] as Value, entry]));
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
  if (values.length === 1) return read({ $eq: values[0] }, 1);
  try {
    return await read({ $in: values }, values.length);
  } catch (error) {
    if (!hasCode(error, 'answerTooLarge')) throw error;
    return (await Promise.all(values.map((value) => readAll(read, [value])))).flat();
  }
}

/** The projection of everything that is stored of an entry but its passwords. */
export const withoutPasswords = (attributes: ContentType['attributes']): Document =>
  Object.fromEntries(
    [...attributes.values()].flatMap((attribute) =>
      attribute.kind === 'scalar' && attribute.type === 'password' ? [[attribute.name, 0]] : [],
    ),
  );
