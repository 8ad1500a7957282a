import { LRUCache } from 'lru-cache';
import { BSON, type Db, type Document } from 'mongodb';
import { hasCode } from '../../errors/app-error.js';
import type { IdRead } from '../compile/read/compile-query.js';
import { readBatch } from './read-batch.js';
import { coalesce } from '../coordination/coalesce.js';

/**
 * Gives an entry, for the caller alone; undefined when it is not there.
 * @throws AppError unavailable, outOfTime, answerTooLarge
 */
export type FindEntry = (read: IdRead) => Promise<Document | undefined>;

/** Collections and projections that are remembered; the least used go first. */
const REMEMBERED = 1000;

/** Reads of an entry that wait at the same moment, of one collection and projection, share one command. */
export function createEntryLoader(db: Db, timeout: number): FindEntry {
  const shares = new LRUCache<string, (id: number) => Promise<Document | undefined>>({ max: REMEMBERED });
  return ({ collection, id, projection }) => {
    const key = `${collection} ${JSON.stringify(projection)}`;
    const share =
      shares.get(key) ??
      coalesce((ids: readonly number[]) =>
        readEntries((filter, limit) => readBatch(db, { find: collection, filter, projection, limit }, timeout), ids),
      );
    shares.set(key, share);
    return share(id);
  };
}

type Read = (filter: Document, limit: number) => Promise<readonly Document[]>;

/** The entries by their ids, in this order, none of them twice the same object. */
async function readEntries(read: Read, ids: readonly number[]): Promise<readonly (Document | undefined)[]> {
  const unique = [...new Set(ids)];
  const entries = new Map((await readAll(read, unique)).map((entry) => [entry['_id'] as number, entry]));
  const given = new Set<number>();
  return ids.map((id) => {
    const entry = entries.get(id);
    if (entry === undefined || !given.has(id)) {
      given.add(id);
      return entry;
    }
    return BSON.deserialize(BSON.serialize(entry));
  });
}

/** One by one where they do not fit into one answer. */
async function readAll(read: Read, ids: readonly number[]): Promise<readonly Document[]> {
  const [id] = ids;
  if (ids.length === 1) return read({ _id: { $eq: id } }, 1);
  try {
    return await read({ _id: { $in: ids } }, ids.length);
  } catch (error) {
    if (!hasCode(error, 'answerTooLarge')) throw error;
    return (await Promise.all(ids.map((one) => readAll(read, [one])))).flat();
  }
}
