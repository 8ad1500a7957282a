import { LRUCache } from 'lru-cache';
import type { Db, Document } from 'mongodb';
import type { ContentType } from '../../content-types/model/types.js';
import { memoize } from '../../query/memoize.js';
import type { Plan } from '../compile/plan.js';
import { fullScanOf, indexedPaths, withoutListIndex } from '../indexes/full-scan.js';
import { hasOtherIndexes } from '../indexes/indexes.js';
import { readBatch } from './read-batch.js';

/** The number of entries in a sample, and how many of them must be listed so that the collection is scanned. */
const SAMPLE = 100;
const MIN_LISTED = 50;
/** Changes made directly in the database are visible after this time, as in other caches. */
const MAX_AGE_MS = 60_000;
const MAX_LISTS = 1000;

const NATURAL: Document = { $natural: 1 };

/** The plan, with hints if it scans the collection. @throws AppError unavailable, outOfTime; the driver's error */
export type NaturalOrder = (db: Db, type: ContentType, plan: Plan) => Promise<Plan>;

/**
 * Lets full scans read the collection in its own order if most of its entries are listed. The database would use the index of lists,
 * which takes up to twice as long, because it fetches the entries one by one.
 */
export function createNaturalOrder(timeout: number): NaturalOrder {
  const pathsOf = memoize(indexedPaths);
  const decisions = new LRUCache<string, Promise<boolean>>({ max: MAX_LISTS, ttl: MAX_AGE_MS });
  const decide = async (db: Db, collection: string, listed: Document): Promise<boolean> => {
    const pipeline = [{ $sample: { size: SAMPLE } }, { $match: listed }, { $count: 'count' }];
    const [[sampled], hasOthers] = await Promise.all([
      readBatch<{ count: number }>(db, { aggregate: collection, pipeline }, timeout),
      hasOtherIndexes(db, collection),
    ]);
    return !hasOthers && (sampled?.count ?? 0) >= MIN_LISTED;
  };
  const isNatural = async (db: Db, collection: string, listed: Document): Promise<boolean> => {
    const key = JSON.stringify([collection, listed]);
    const decision = decisions.get(key) ?? decide(db, collection, listed);
    decisions.set(key, decision, { noUpdateTTL: true });
    try {
      return await decision;
    } catch (error) {
      decisions.delete(key);
      throw error;
    }
  };
  return async (db, type, plan) => {
    const { main, count } = plan;
    const scan = fullScanOf(pathsOf(type), main);
    if (scan === undefined || !(await isNatural(db, main.collection, scan.listed))) return plan;
    const hinted = main.tables === undefined ? { hint: NATURAL } : { filter: withoutListIndex(main.filter) };
    return {
      ...plan,
      main: scan.sorts ? { ...main, ...hinted } : main,
      count: scan.filters ? { ...count, hint: NATURAL } : count,
    };
  };
}
