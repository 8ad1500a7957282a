import type { Db, Document } from 'mongodb';
import { dependenciesOf, type Dependencies } from '../../../query/dependencies.js';
import type { Query } from '../../../query/ast.js';
import type { LazyEntry } from '../../../query/entry-presenter.js';
import { memoize } from '../../../query/memoize.js';
import { createVersionedCache, planKey, type Sources } from '../../cache/versioned-cache.js';
import type { MainRead, Plan } from '../../compile/plan.js';
import { translated } from '../../errors.js';
import { commandOf, executeRead, type ReadOptions } from '../execute-read.js';
import { readBatch } from '../read-batch.js';
import { noEntries, type Page } from './page.js';
import { withEntries } from './read-by-scan.js';

/** A page of a list that no index sorts. */
interface SortedPage {
  readonly db: Db;
  readonly compiled: Plan;
  /** The compiled plan with hints. */
  readonly plan: Plan;
  /** The number of entries on all pages. */
  readonly total: number;
  /** The versions, read before the total, and the dependencies of the order. */
  readonly sources: Sources;
}

/** Reads pages of lists whose order it caches. */
export type ReadInOrder = (page: SortedPage, options: ReadOptions) => Promise<Page<LazyEntry>>;

/** Fewer entries are sorted nearly as fast as the entries of a page are read. */
const MIN_TOTAL = 5000;
/** Ids are read for ten pages of the default size, which takes little longer than for one. */
const STEP = 250;
const MAX_BYTES = 2 ** 23;
const BYTES_OF_ID = 8;
/** Bytes of a list in addition to its ids: key, versions and their objects. */
const OVERHEAD = 1000;

/** Whether the order of a list is cached: if its total is, no write has affected its filter since it was read before. */
export const isOrderCached = (total: number | undefined): total is number => total !== undefined && total >= MIN_TOTAL;

/** What the order of a list depends on, and which entries it contains. */
export const dependenciesOfOrder = ({ availableLocales: _locales, ...query }: Query): Dependencies =>
  dependenciesOf({ ...query, populate: [] });

/**
 * Sorts the entries of a list once for its first pages, until a write affects the filter or the sort. The reader throws
 * AppError unavailable, outOfTime, answerTooLarge, tooCostly.
 */
export function createOrderedReader(): ReadInOrder {
  const lists = createVersionedCache<readonly number[]>({
    bytes: MAX_BYTES,
    sizeOf: (ids) => OVERHEAD + ids.length * BYTES_OF_ID,
  });
  const keyOf = memoize(({ main: { collection, filter, tables, order } }: Plan) =>
    planKey(collection, filter, tables, order),
  );
  const firstIds = async (page: SortedPage, end: number, options: ReadOptions): Promise<readonly number[]> => {
    const { db, compiled, plan, sources } = page;
    const limit = Math.ceil(end / STEP) * STEP;
    return lists.getOrRead(`${keyOf(compiled)} ${limit}`, sources, async () =>
      readIds(db, { ...plan.main, start: 0, limit }, options),
    );
  };
  return async (page, options) => {
    const { db, plan, total } = page;
    const { start, limit } = plan.main;
    const end = Math.min(start + limit, total);
    const ids = start < total ? await firstIds(page, end, options) : [];
    const onPage = ids.slice(start, end);
    if (onPage.length === 0) return { ...noEntries, total };
    const { entries, ids: read } = await executeRead(db, { ...plan, main: inOrder(plan.main, onPage) }, options);
    return { entries, total, ids: read };
  };
}

/** The ids of a page in its order. */
async function readIds(db: Db, main: MainRead, { timeout, signal }: ReadOptions): Promise<readonly number[]> {
  const command = commandOf({ ...main, project: [{ $project: { _id: 1 } }], lookups: [] });
  const documents = await translated(() => readBatch(db, command, timeout, signal));
  const rows = main.tables === undefined ? documents : ((documents[0]?.['page'] ?? []) as readonly Document[]);
  return rows.map(({ _id }) => Number(_id));
}

/** The read of these entries. They are sorted by their values again, or as the ids are if the values are those of other entries. */
function inOrder(main: MainRead, ids: readonly number[]): MainRead {
  const read = { ...withEntries(main, ids), start: 0 };
  if (main.tables === undefined) return read;
  const position = { $indexOfArray: [ids, '$_id'] };
  return { ...read, tables: undefined, order: [{ $set: { _position: position } }, { $sort: { _position: 1 } }] };
}
