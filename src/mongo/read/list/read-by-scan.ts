import type { Db, Document } from 'mongodb';
import type { Pagination } from '../../../query/ast.js';
import { idsPipeline } from '../../compile/read/compile-query.js';
import type { Plan } from '../../compile/plan.js';
import { translated } from '../../errors.js';
import { executeRead, type ReadOptions } from '../execute-read.js';
import { readBatch } from '../read-batch.js';
import { noEntries, type Page } from './page.js';
import type { LazyEntry } from '../../../query/entry-presenter.js';

/** More entries than this precede no page that is found by a scan. */
const MAX_IDS = 1000;

/** Whether a scan can find the page while it counts: its entries are those with the lowest ids. */
export function canReadByScan({ before, main: { order } }: Plan, { start, limit, after }: Pagination): boolean {
  const sort: unknown = order[0]?.['$sort'];
  const isInOrderOfIds = order.length === 1 && (sort as Document | undefined)?.['_id'] === 1;
  return isInOrderOfIds && before.length === 0 && limit > 0 && after === undefined && start + limit <= MAX_IDS;
}

/**
 * Reads a page of a filter that no index serves, and its total: one scan finds both the total and the ids of the page.
 * @param total if it is cached
 * @throws AppError unavailable, outOfTime, answerTooLarge, tooCostly
 */
export async function readByScan(
  db: Db,
  plan: Plan,
  { start, limit }: Pagination,
  { total: cached, ...options }: ReadOptions & { readonly total: number | undefined },
): Promise<Page<LazyEntry> & { readonly total: number }> {
  if (cached !== undefined && cached <= start) return { ...noEntries, total: cached };
  const { count, main } = plan;
  const command = { aggregate: count.collection, pipeline: idsPipeline(count, start + limit), hint: count.hint };
  const [scanned] = await translated(() =>
    readBatch<{ total: number; ids: number[] }>(db, command, options.timeout, options.signal),
  );
  if (scanned === undefined || scanned.ids.length <= start) return { ...noEntries, total: scanned?.total ?? 0 };
  const { hint: _hint, ...read } = main;
  const filter = { $and: [{ _id: { $in: scanned.ids } }, main.filter] };
  const { entries, ids } = await executeRead(db, { ...plan, main: { ...read, filter } }, options);
  return { entries, total: scanned.total, ids };
}
