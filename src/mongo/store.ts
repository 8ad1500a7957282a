import type { Db } from 'mongodb';
import { id, type Query } from '../query/ast.js';
import { changesOf, type Change } from '../query/change.js';
import type { LazyEntry } from '../query/entry-presenter.js';
import { hideFrom, hideFromFilter, type Visible } from '../query/narrow.js';
import { storedVersions } from './cache/stored-versions.js';
import { createIdCache } from './cache/id-cache.js';
import { type Versions, ownVersions } from './cache/versions.js';
import { readsPrimary } from './connection/database.js';
import { openDocumentIds, type DocumentIds } from './document-ids.js';
import { openEventLog, type EventLog } from './events/event-log.js';
import { openSchedules, type Schedules } from './events/schedules.js';
import type { QueryCosts } from './observe/query-cost.js';
import { createEntryLoader, withoutPasswords } from './read/entry-loader.js';
import { openEntryReads, type EntryReads } from './read/entry-reads.js';
import { createTargetReader } from './read/missing-targets.js';
import { createUseReader, type UseReader } from './read/use-reader.js';
import { openReviews, type Reviews } from './reviews.js';
import { Transactions } from './transactions/transactions.js';
import { openComponentIds, type ComponentIds } from './write/component-ids.js';
import { openCounters, type Counters } from './write/counters.js';
import { openEntryWrites, type EntryWrites } from './write/entry-writes.js';
import { openReceipts, type ReceiptOptions, type Receipts } from './write/receipts.js';
import { createWriteChecks, type WriteChecks } from './write/write-checks.js';

/** Entries in MongoDB: the only interface between the documents service and the database. */
export interface Store extends EntryReads, WriteChecks, EntryWrites {
  readonly counters: Counters;
  readonly componentIds: ComponentIds;
  readonly documentIds: DocumentIds;
  /** The writes in one sequence. */
  readonly events: EventLog;
  /** When entries are to be published and unpublished. */
  readonly schedules: Schedules;
  /** What is to be published if somebody else agrees. */
  readonly reviews: Reviews;
  readonly uses: UseReader;
  /** Those of all writes; undefined: writes have none. */
  readonly receipts: Receipts | undefined;
}

export interface StoreOptions {
  /** The time limit of a command in milliseconds. */
  readonly timeout: number;
  /** Whether no other process uses the database. */
  readonly exclusive: boolean;
  /** The maximum size of a response in bytes; reads stop when it cannot be met. Default: no limit. */
  readonly responseLimit?: number;
  /** Measures the cost of requests; requests that share a command are all charged for it. */
  readonly costs?: QueryCosts | undefined;
  /** Where reads go that can be stale: this database with another read preference. Default: none. */
  readonly reads?: Db;
  /** Events have what the entry was before, for readers who see only some entries. */
  readonly recordBefore?: boolean;
  /** See `countLostConnections`; default: a crash of the database is not noticed. */
  readonly lostConnections?: () => number;
  /** Types whose changes may affect every response; default: none. */
  readonly common?: readonly string[] | undefined;
  /** Called with the changes of writes before these are acknowledged, and regularly without changes. */
  readonly onChanges?: ((changes: readonly Change[]) => Promise<void>) | undefined;
  /** Writes have receipts; default: they have none. */
  readonly receipts?: ReceiptOptions | undefined;
  /** Called with errors of work that nobody waits for; default: they are dropped, and the work is repeated. */
  readonly report?: ((error: unknown) => void) | undefined;
  /** See `TransactionOptions`. */
  readonly patience?: number | undefined;
  readonly pause?: ((milliseconds: number) => Promise<unknown>) | undefined;
}

/** What a transaction removes stays stored until its commit. */
const exceptRemoved =
  (removedIn: (collection: string) => readonly number[]): Visible =>
  ({ collectionName }) => {
    const removed = removedIn(collectionName);
    return removed.length === 0 ? undefined : { kind: 'comparison', field: id, operator: '$notIn', operands: removed };
  };

/** The entries of a database, as one process reads and writes them. */
export function openStore(db: Db, options: StoreOptions): Store {
  const { timeout, exclusive, costs, reads: lagging = db } = options;
  const shared = storedVersions(db, options.lostConnections);
  const versionsWithoutListeners = exclusive ? ownVersions(shared) : shared;
  // A response that was read before the change does not hold any more when it is noticed.
  const raise = async (changes: readonly Change[]): Promise<void> => {
    await versionsWithoutListeners.raise(changes);
    // A transaction can end one of others, whose changes are not its own.
    if (transactions.current() === undefined) await options.onChanges?.(changes);
    else await transactions.within(undefined, async () => options.onChanges?.(changes));
  };
  const { patience, pause, report = () => undefined } = options;
  const resolveLock: Transactions['resolveLock'] = (by, key) => transactions.resolveLock(by, key);
  const receipts = options.receipts && openReceipts(db, options.receipts, { timeout, report, resolveLock });
  const transactions = new Transactions({ db, timeout, raise, receipts, patience, pause });
  // A transaction reads what it has written, and nothing out of a cache.
  const versions: Versions = {
    raise,
    read: async (types) => (transactions.current() === undefined ? versionsWithoutListeners.read(types) : new Map()),
  };
  const findEntry = createEntryLoader(db, timeout, costs);
  const primary = { from: db, findEntry, idCache: createIdCache() };
  const reads = openEntryReads({
    primary,
    lagging: readsPrimary(lagging) ? primary : { from: lagging, findEntry: createEntryLoader(lagging, timeout, costs) },
    versions,
    timeout,
    responseLimit: options.responseLimit ?? Number.POSITIVE_INFINITY,
    common: options.common,
  });
  const counters = openCounters(db, options.lostConnections);
  const componentIds = openComponentIds(db);
  const events = openEventLog(db, counters, {
    resolveLock,
    ...(options.recordBefore === true && {
      readBefore: ({ collectionName: collection, attributes }, id) =>
        findEntry({ collection, path: '_id', value: id, projection: withoutPasswords(attributes) }),
    }),
  });
  const schedules = openSchedules(db);
  const reviews = openReviews(db);
  const removedIn = (collection: string): readonly number[] => transactions.current()?.removed(collection) ?? [];
  const findTargets = createTargetReader(db, timeout, removedIn);
  const writes = openEntryWrites({
    db,
    timeout,
    exclusive,
    transactions,
    versions,
    renew: (types) => versionsWithoutListeners.raise(changesOf(types)),
    counters,
    componentIds,
    events,
    schedules,
    reviews,
    receipts,
    findMissing: async (targets) => (await findTargets(targets)).missing,
    readResponse: async (query: Query): Promise<LazyEntry | undefined> => (await reads.find(query)).entries[0],
  });
  const notRemovedByTransaction = exceptRemoved(removedIn);
  return {
    ...reads,
    find: (query, findOptions) =>
      reads.find(transactions.current() === undefined ? query : hideFrom(query, notRemovedByTransaction), findOptions),
    count: (type, filter, places) =>
      reads.count(
        type,
        transactions.current() === undefined ? filter : hideFromFilter(filter, type, notRemovedByTransaction),
        places,
      ),
    ...createWriteChecks({ db, timeout, findEntry, findTargets, transactions, events }),
    ...writes,
    counters,
    componentIds,
    documentIds: openDocumentIds(db),
    events,
    schedules,
    reviews,
    uses: createUseReader(db, timeout),
    receipts,
  };
}
