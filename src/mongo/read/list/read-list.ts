import type { Db } from 'mongodb';
import type { Query } from '../../../query/ast.js';
import type { LazyEntry } from '../../../query/entry-presenter.js';
import { createCountCache } from '../../cache/count-cache.js';
import type { IdCache } from '../../cache/id-cache.js';
import type { TypeVersions } from '../../cache/version-log.js';
import type { Versions } from '../../cache/versions.js';
import type { Plan } from '../../compile/plan.js';
import { translated } from '../../errors.js';
import type { FindEntry } from '../entry-loader.js';
import { executeCount, executeRead } from '../execute-read.js';
import { countBytes, type BytesRead } from '../read-budget.js';
import type { NaturalOrder } from './natural-order.js';
import { cutPage, type Page } from './page.js';

/** Options of a read. */
export interface ReadOptions {
  /** Cancels the read. */
  readonly signal?: AbortSignal | undefined;
  /** The result can be stale: no decision depends on it. */
  readonly mayLag?: boolean;
  /** The bytes already read for the same response. */
  readonly bytesRead?: BytesRead | undefined;
  /** The versions of all types of the query, if they were read for the same request. */
  readonly versions?: TypeVersions | undefined;
}

/** A database to read from, and what its reads share. */
export interface ReadSource {
  readonly from: Db;
  readonly findEntry: FindEntry;
  readonly idCache?: IdCache;
}

interface ListReaderOptions {
  readonly primary: ReadSource;
  /** For reads that can be stale. */
  readonly lagging: ReadSource;
  readonly versions: Versions;
  readonly order: NaturalOrder;
  /** The time limit of a command in milliseconds. */
  readonly timeout: number;
  /** The maximum size of a response in bytes. */
  readonly responseLimit: number;
}

type ReadList = (plan: Plan, query: Query, request: ReadOptions) => Promise<Page<LazyEntry>>;

/** Reads pages of lists, and totals, which it caches. */
export function createListReader(sources: ListReaderOptions): ReadList {
  const { primary, lagging, versions, order, timeout, responseLimit } = sources;
  const totals = createCountCache();
  return async (compiled, query, request) => {
    const { type, pagination, sort } = query;
    const { signal, mayLag = false, bytesRead = { bytes: 0 } } = request;
    const { from, ...sharing } = mayLag ? lagging : primary;
    // Reads of internal code have no limit.
    const count = signal === undefined ? undefined : countBytes(bytesRead, responseLimit);
    const options = { timeout, signal, count, ...sharing };
    const { withCount } = pagination;
    const plan = await translated(() => order(from, type, compiled));
    const readVersions: Versions['read'] = async (types) => request.versions ?? versions.read(types);
    const read = await executeRead(from, plan, { ...options, withCount, readVersions });
    const { page, next } = cutPage({ sort, pagination }, read);
    const { entries, filter, ids } = page;
    if (!withCount) return { entries, total: undefined, ids, ...next };
    // A total is cached, so it is counted on the primary.
    const counted = from === primary.from ? { before: [], count: { ...plan.count, filter } } : plan;
    const total = await totals.get(compiled, page, pagination, () => executeCount(primary.from, counted, options));
    return { entries, total, ids, ...next };
  };
}
