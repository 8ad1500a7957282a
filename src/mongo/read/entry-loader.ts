import { BSON, type Db, type Document } from 'mongodb';
import type { ContentType } from '../../content-types/model/types.js';
import { hasCode } from '../../errors/app-error.js';
import { heldBytes } from '../../query/held-bytes.js';
import { createSizedCache } from '../../query/sized-cache.js';
import { coalesce } from '../coordination/coalesce.js';
import type { QueryCosts } from '../observe/query-cost.js';
import { readBatch } from './read-batch.js';

interface EntryRead {
  readonly collection: string;
  readonly id: number;
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

/** Concurrent reads that differ only in the id share one command. */
export function createEntryLoader(db: Db, timeout: number, costs?: QueryCosts): FindEntry {
  const loaders = createSizedCache<Load>({
    bytes: CACHE_BYTES,
    sizeOf: (_load, key) => BYTES_OF_FUNCTIONS + heldBytes(key) * FORMS_OF_PROJECTION,
  });
  return ({ collection, id, projection }) => {
    const key = `${collection} ${JSON.stringify(projection)}`;
    const cached = loaders.get(key);
    if (cached !== undefined) return cached(id);
    const read: Read = (_id, limit) => readBatch(db, { find: collection, filter: { _id }, projection, limit }, timeout);
    const load = coalesceCharged((ids: readonly number[]) => readEntries(read, ids), costs);
    loaders.set(key, load);
    return load(id);
  };
}

type Load = (id: number) => Promise<Document | undefined>;

/** Coalesces reads; each is charged for the shared commands, and for its part of their replies. */
function coalesceCharged(
  run: (ids: readonly number[]) => Promise<readonly (Document | undefined)[]>,
  costs: QueryCosts | undefined,
): Load {
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

type Read = (condition: Document, limit: number) => Promise<readonly Document[]>;

/** The entries with these ids, in this order, each a separate object. */
async function readEntries(read: Read, ids: readonly number[]): Promise<readonly (Document | undefined)[]> {
  const entries = new Map((await readAll(read, [...new Set(ids)])).map((entry) => [entry['_id'] as number, entry]));
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
  if (ids.length === 1) return read({ $eq: ids[0] }, 1);
  try {
    return await read({ $in: ids }, ids.length);
  } catch (error) {
    if (!hasCode(error, 'answerTooLarge')) throw error;
    return (await Promise.all(ids.map((id) => readAll(read, [id])))).flat();
  }
}

/** The projection of everything that is stored of an entry but its passwords. */
export const withoutPasswords = (attributes: ContentType['attributes']): Document =>
  Object.fromEntries(
    [...attributes.values()].flatMap((attribute) =>
      attribute.kind === 'scalar' && attribute.type === 'password' ? [[attribute.name, 0]] : [],
    ),
  );
