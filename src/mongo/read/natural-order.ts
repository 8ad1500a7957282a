import lodash from 'lodash';
import type { Db, Document, IndexDescription } from 'mongodb';
import type { ContentType } from '../../content-types/model/types.js';
import { memoize } from '../../query/memoize.js';
import { createSizedCache } from '../../query/sized-cache.js';
import type { GroupPlan, ReadPlan, MainRead } from '../compile/plan.js';
import { foundBy, indexesFor, indexesOf, isListed, operatorIndexes, type Found } from '../indexes/indexes.js';
import { readBatch } from './read-batch.js';
import { conditionsIn } from '../compile/read/compile-query.js';

/** The number of entries in a sample, and how many of them must be listed so that the collection is scanned. */
const SAMPLE = 100;
const MIN_LISTED = 50;
/** Changes made directly in the database are visible after this time, as in other caches. */
const MAX_AGE_MS = 60_000;
/** Bytes of all decisions, and of one: a promise. Its key has the locales that a client names. */
const CACHE_BYTES = 2 ** 20;
const BYTES_OF_DECISION = 500;

const NATURAL: Document = { $natural: 1 };

/** @throws AppError unavailable, outOfTime; the driver's error */
export interface NaturalOrder {
  /** The plan, with hints if it scans the collection. */
  (db: Db, type: ContentType, plan: ReadPlan): Promise<ReadPlan>;
  /**
   * How the entries of groups are read if no condition selects some of them: from an index that has all that is read of
   * them, or in order.
   */
  readonly hintOf: (db: Db, type: ContentType, plan: GroupPlan) => Promise<Document | undefined>;
}

/**
 * Lets full scans read the collection in its own order if most of its entries are listed. The database would use the
 * index of lists, which takes up to twice as long, because it fetches the entries one by one.
 */
export function createNaturalOrder(timeout: number): NaturalOrder {
  const scansOf = memoize((type: ContentType) => {
    const paths = indexedPaths(type);
    return memoize((main: MainRead) => fullScanOf(paths, main) ?? 'none');
  });
  const decisions = createSizedCache<Promise<boolean>>({
    bytes: CACHE_BYTES,
    sizeOf: () => BYTES_OF_DECISION,
    ttl: MAX_AGE_MS,
  });
  const decide = async (db: Db, collection: string, listed: Document): Promise<boolean> => {
    const pipeline = [{ $sample: { size: SAMPLE } }, { $match: listed }, { $count: 'count' }];
    const [[sampled], created] = await Promise.all([
      readBatch<{ count: number }>(db, { aggregate: collection, pipeline }, timeout),
      operatorIndexes(db, collection),
    ]);
    // An index of the operator may serve any query.
    return created.length === 0 && (sampled?.count ?? 0) >= MIN_LISTED;
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
  const scanOf = memoize((type: ContentType) => {
    const paths = indexedPaths(type);
    return memoize((plan: GroupPlan) => {
      const scan = fullScanOf(paths, { ...plan.count, tables: undefined, order: [{ $sort: { [UNINDEXED]: 1 } }] });
      return { scan, covering: scan && coveringIndex(type, plan) };
    });
  });
  const hintOf: NaturalOrder['hintOf'] = async (db, type, plan) => {
    const { scan, covering } = scanOf(type)(plan);
    if (scan === undefined) return undefined;
    return covering ?? ((await isNatural(db, plan.count.collection, scan.listed)) ? NATURAL : undefined);
  };
  const ofPlan = async (db: Db, type: ContentType, plan: ReadPlan): Promise<ReadPlan> => {
    const { main, count } = plan;
    const scan = scansOf(type)(main);
    if (scan === 'none' || !(await isNatural(db, main.collection, scan.listed))) return plan;
    const hinted = main.tables === undefined ? { hint: NATURAL } : { filter: withoutListIndex(main.filter) };
    return {
      ...plan,
      main: scan.sorts ? { ...main, ...hinted } : main,
      count: scan.filters ? { ...count, hint: NATURAL } : count,
    };
  };
  return Object.assign(ofPlan, { hintOf });
}

/** A path that no index has. */
const UNINDEXED = '';

/**
 * The keys of the shortest index that has all that groups read of entries, and what these are filtered by; undefined if
 * there is none.
 */
export function coveringIndex(type: ContentType, { paths, count }: GroupPlan): Document | undefined {
  if (paths === undefined || count.source.length > 0) return undefined;
  const filtered = conditionsIn(count.filter).flatMap((condition) => Object.keys(condition));
  // Of a locale, which is text, an index with a collation has only what it is sorted by.
  const isReadable = type.dialect.collation === undefined || !filtered.includes('locale');
  if (!isReadable || filtered.some((path) => path.startsWith('$'))) return undefined;
  const complete = indexesOf(type).filter(
    ({ partialFilterExpression, sparse }) => (partialFilterExpression ?? sparse) === undefined,
  );
  const covering = complete.filter(({ key }) => [...paths, ...filtered].every((path) => path in key));
  return lodash.minBy(covering, ({ key }) => Object.keys(key).length)?.key;
}

/** A list that no index narrows further than to published entries in a locale. */
interface FullScan {
  /** The conditions that nearly all lists have. */
  readonly listed: Document;
  /** The page is sorted by no index: each listed entry is read for it. */
  readonly sorts: boolean;
  /** There are further conditions: each listed entry is read for the total. */
  readonly filters: boolean;
}

/** The paths with which an index starts. */
interface IndexedPaths {
  /** A condition on them narrows what is read. */
  readonly filtered: ReadonlySet<string>;
  readonly sorted: ReadonlySet<string>;
}

/** The paths that the indexes of a content type serve, apart from those of nearly all lists. */
export const indexedPaths = (type: ContentType): Readonly<Record<Found, IndexedPaths>> => ({
  drafts: pathsOf(indexesFor(type, 'drafts')),
  changes: pathsOf(indexesFor(type, 'changes')),
  all: pathsOf(indexesFor(type, 'all')),
});

function pathsOf(indexes: readonly IndexDescription[]): IndexedPaths {
  const complete = indexes.filter(
    ({ partialFilterExpression, sparse }) => (partialFilterExpression ?? sparse) === undefined,
  );
  return {
    filtered: new Set(['_id', ...indexes.flatMap(({ key }) => Object.keys(key).find((path) => !isListed(path)) ?? [])]),
    sorted: new Set(['_id', ...complete.flatMap(({ key }) => Object.keys(key)[0] ?? [])]),
  };
}

/** How a page and its total read every listed entry; undefined if neither does, or an index may be of use. */
export function fullScanOf(
  paths: ReturnType<typeof indexedPaths>,
  { source, copies, filter, tables, order }: Pick<MainRead, 'source' | 'copies' | 'filter' | 'tables' | 'order'>,
): FullScan | undefined {
  // A hint would be for its first part only.
  if (copies !== undefined) return undefined;
  const conditions = conditionsIn(filter);
  const { filtered, sorted } = paths[foundBy(conditions)];
  const listed = conditions.filter(isOfList);
  const further = conditions.filter((condition) => !isOfList(condition));
  if (source.length > 0 || further.some((condition) => isNarrowing(condition, filtered))) return undefined;
  const [path = '_id'] = Object.keys((order.at(-1)?.['$sort'] as Document | undefined) ?? {});
  // Without conditions the database reads the collection anyway.
  const sorts = conditions.length > 0 && (tables !== undefined || !sorted.has(path));
  const filters = further.length > 0;
  return sorts || filters ? { listed: Object.assign({}, ...listed) as Document, sorts, filters } : undefined;
}

/**
 * A filter with the same meaning, but no index can serve the condition of published entries: a pipeline of a lookup
 * takes no hint. Source: https://www.mongodb.com/docs/manual/reference/operator/query-bitwise/
 */
const withoutListIndex = (filter: Document): Document => ({
  $and: conditionsIn(filter).map((condition) => (condition['_live'] === 1 ? { _live: { $bitsAllSet: 1 } } : condition)),
});

const isOfList = (condition: Document): boolean => Object.keys(condition).every(isListed);

/** Whether an index can serve the condition: one of alternatives only if it can serve all of them. */
function isNarrowing(condition: Document, filtered: ReadonlySet<string>): boolean {
  return Object.entries(condition).some(([path, value]) =>
    path === '$or'
      ? (value as readonly Document[]).every((branch) =>
          conditionsIn(branch).some((part) => isOfList(part) || isNarrowing(part, filtered)),
        )
      : filtered.has(path),
  );
}
