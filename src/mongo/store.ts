import type { Db, Document } from 'mongodb';
import type { ContentType, RelationAttribute, Registry } from '../content-types/model/types.js';
import type { Filter, Query } from '../query/ast.js';
import type { Changes, Write } from '../query/mutation.js';
import { previewPlan, type StoringWrite } from './compile/write/preview.js';
import { applyBatch, type BatchKey, type BatchOutcome, type PlannedStep } from './write/batch/apply-batch.js';
import { findDecided } from './write/batch/decisions.js';
import { applyWrites, type WriteOptions, type WriteResult } from './write/apply-writes.js';
import { changesOf } from '../query/change.js';
import type { LazyEntry } from '../query/entry-presenter.js';
import { assemble } from './read/assemble.js';
import { compileCount, compileQuery } from './compile/read/compile-query.js';
import type { Precondition } from './compile/write/preconditions.js';
import { insertedDocument } from './compile/write/write.js';
import { openComponentIds, type ComponentIds } from './write/component-ids.js';
import { openCounters, type Counters } from './write/counters.js';
import { executeCount, executeRead, readFilter } from './read/execute-read.js';
import { explainRead, type Explanation } from './read/explain-read.js';
import { ensureIndexes } from './indexes/indexes.js';
import { findFailedPrecondition } from './write/failed-precondition.js';
import { finishIntent, finishIntents, type RefusedIntent } from './write/finish-intents.js';
import { openEventLog, type EventLog } from './events/event-log.js';
import { openSchedules, SCHEDULE, type Schedules } from './events/schedules.js';
import { openIntents } from './write/intents.js';
import { createTargetReader, type Targets } from './read/missing-targets.js';
import { createNaturalOrder } from './read/list/natural-order.js';
import type { Page } from './read/list/page.js';
import { createListReader, type ReadOptions } from './read/list/read-list.js';
import { removeMany, type Removal, type Removed } from './write/many/remove-many.js';
import { updateMany, type SameChange } from './write/many/update-many.js';
import { replaceDocuments, replaceEntries, type Replaced, type WholeEntry } from './write/replace-entries.js';
import { findTakenKeys } from './read/taken-keys.js';
import { isStillStored, readSnapshot, type Snapshot } from './read/snapshot.js';
import { readRanks, type RankedEntries, type RankedSide } from './read/read-ranks.js';
import type { QueryCosts } from './observe/query-cost.js';
import { readsPrimary } from './connection/database.js';
import { createCompiledQueries, type Identity } from './cache/compiled-queries.js';
import { createIdCache } from './cache/id-cache.js';
import { createEntryLoader, readWith } from './read/entry-loader.js';
import { createInsertBatcher } from './write/insert-batcher.js';
import type { StoredDocument } from './maintenance/extended-json-lines.js';
import { translated } from './errors.js';
import { abandonedAfter, createPendingIntents } from './write/pending-intents.js';
import { sharedVersions } from './cache/stored-versions.js';
import type { TypeVersions } from './cache/version-log.js';
import { ownVersions } from './cache/versions.js';

/** Entries in MongoDB: the only interface between the documents service and the database. */
export interface Store {
  find(query: Query, options?: ReadOptions): Promise<Page<LazyEntry>>;
  /** The same for the entry with this id, of a query that is remembered. */
  findById(query: Query, id: number, options?: ReadOptions): Promise<Page<LazyEntry>>;
  /** Equal for queries that read the same, including conditions of permissions; the caller is not part of it. */
  keyOf(query: Query): string;
  /** Under which the response to these queries can be cached. @param isEntry see `CompiledQueries` */
  cacheKey(queries: readonly Query[], isEntry?: boolean): Promise<CacheKey>;
  /** A new entry as a query would return it, built from the written data; undefined if it must be read. */
  insertedEntry(query: Query, id: number, changes: Changes): LazyEntry | undefined;
  /** The entry of a query as the write would store it; undefined if the write would not find it. */
  preview(write: StoringWrite, query: Query, options: Conditions): Promise<LazyEntry | undefined>;
  /** The commands of a query and their execution plans. */
  explain(query: Query): Promise<Explanation>;
  /** @param places the paths whose components are counted; see `Query` */
  count(type: ContentType, filter: Filter | undefined, places?: Query['places']): Promise<number>;
  /** What is stored of an entry; undefined if it does not exist. @throws AppError invalidValue for an entry that is too large */
  snapshot(type: ContentType, id: number): Promise<Snapshot | undefined>;
  /** @throws AppError unavailable; the driver's error for a refused primary write, see `duplicateOf` */
  apply(writes: readonly Write[], options?: ApplyOptions): Promise<WriteResult>;
  /** Applies all of these writes, or none; see `applyBatch`. */
  applyBatch(operations: readonly BatchOperation[], key?: BatchKey): Promise<BatchOutcome>;
  /** Updates the given entries that match the filter, and returns their number. @throws the driver's error, see `duplicateOf` */
  updateMany(type: ContentType, updates: readonly SameChange[], filter: Filter | undefined): Promise<number>;
  /** Removes the given entries that match the filter, with the references to them. @throws AppError unavailable; the driver's error */
  removeMany(type: ContentType, removals: readonly Removal[], filter: Filter | undefined): Promise<Removed>;
  missing(targets: Targets): Promise<ReadonlyMap<ContentType, readonly number[]>>;
  /** Stores entries of one type, replacing existing entries with their ids; see `replaceEntries`. */
  replace(type: ContentType, entries: readonly WholeEntry[]): Promise<readonly Replaced[]>;
  /** The same for stored documents. */
  restore(type: ContentType, documents: readonly StoredDocument[]): Promise<readonly Replaced[]>;
  /** The ids of all entries of a type, batch by batch. */
  ids(type: ContentType): AsyncIterable<number>;
  /** The preconditions of a change that the entry does not meet; undefined when no entry matches `only`. */
  findFailedPrecondition(
    type: ContentType,
    id: number,
    changes: Changes,
    only?: Filter,
  ): Promise<Precondition | undefined>;
  /** Those of the unique keys of components that other entries have. */
  takenKeys(type: ContentType, keys: readonly string[], except: number | undefined): Promise<ReadonlySet<string>>;
  /** The entries that refer to a target in this relation, in the order of the inverse side. */
  ranks(type: ContentType, attribute: RelationAttribute, side: RankedSide): Promise<RankedEntries>;
  readonly counters: Counters;
  readonly componentIds: ComponentIds;
  /** The writes in one sequence. */
  readonly events: EventLog;
  /** When entries are to be published and unpublished. */
  readonly schedules: Schedules;
  /** Those of these events on a type whose entry matched a filter before the write. */
  matchingBefore(
    type: ContentType,
    filter: Filter | undefined,
    positions: readonly number[],
  ): Promise<ReadonlySet<number>>;
  /** Creates indexes and completes writes interrupted by a crash. Returns the unique indexes that stored data violates, with the reason. */
  prepare(registry: Registry): Promise<readonly string[]>;
  /** Completes intents whose lease was not renewed for this many milliseconds; 0: no other process writes. Returns their number. */
  sweep(registry: Registry, olderThan?: number): Promise<number>;
}

/** The conditions of writes. */
export interface Conditions {
  /** The primary write changes or removes only an entry that matches it. */
  readonly only?: Filter | undefined;
  /** And only if it is stored as it was. */
  readonly unchanged?: Snapshot | undefined;
}

/** The options of writes. */
export interface ApplyOptions extends Omit<WriteOptions, 'condition'>, Conditions {}

/** The writes of one entry in a batch. */
export interface BatchOperation extends Omit<PlannedStep, 'condition'>, Conditions {}

/** Identifies the result of queries. */
export interface CacheKey extends Identity {
  /** The versions of the content types that are read. */
  readonly versions: TypeVersions;
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
  /** The same database for reads that can be stale; default: none. */
  readonly reads?: Db;
  /** Events have what the entry was before, for readers who see only some entries. */
  readonly recordBefore?: boolean;
  /** See `countLostConnections`; default: a crash of the database is not noticed. */
  readonly lostConnections?: () => number;
  /** Reports interrupted writes that the database refuses to complete. */
  readonly reportRefused?: (refused: RefusedIntent) => void;
}

export function openStore(db: Db, options: StoreOptions): Store {
  const { timeout, exclusive, costs, reportRefused = () => undefined, reads = db, recordBefore = false } = options;
  const { responseLimit = Number.POSITIVE_INFINITY } = options;
  const shared = sharedVersions(db);
  const versions = exclusive ? ownVersions(shared) : shared;
  const compiled = createCompiledQueries();
  const findTargets = createTargetReader(db, timeout);
  const primary = { from: db, findEntry: createEntryLoader(db, timeout, costs), idCache: createIdCache() };
  const lagging = readsPrimary(reads) ? primary : { from: reads, findEntry: createEntryLoader(reads, timeout, costs) };
  const readStored = readWith(primary.findEntry);
  const counters = openCounters(db, options.lostConnections);
  const events = openEventLog(db, counters, recordBefore ? readStored : undefined);
  const intents = openIntents(db);
  const insert = createInsertBatcher(db, timeout, events);
  const context = { db, intents, versions, insert, timeout, reportRefused };
  const abandoned = abandonedAfter(timeout);
  const pending = createPendingIntents(
    // An intent that this process no longer owns was completed by another.
    async (intent, last) => ((await intents.keep(intent.id)) ? finishIntent(context, intent, last) : 'finished'),
    abandoned,
  );
  const raising = (type: ContentType, replace: () => Promise<readonly Replaced[]>): Promise<readonly Replaced[]> =>
    translated(async () => {
      const replaced = await replace();
      if (replaced.some(({ kind }) => kind === 'new' || kind === 'changed')) await versions.raise(changesOf([type]));
      return replaced;
    });
  const order = createNaturalOrder(timeout);
  const readList = createListReader({ primary, lagging, versions, order, timeout, responseLimit });
  const find = async (query: Query, request: ReadOptions = {}): Promise<Page<LazyEntry>> =>
    readList(compiled.plan(query), query, request);
  const matching = (type: ContentType, filter: Filter | undefined) =>
    readFilter(db, compileCount(type, filter), { timeout });
  const conditionOf = async (type: ContentType, { only, unchanged }: Conditions): Promise<Document | undefined> => {
    const matched = only && (await matching(type, only));
    return unchanged ? { $and: [isStillStored(unchanged), matched ?? {}] } : matched;
  };
  const readResponse = async (query: Query): Promise<LazyEntry | undefined> => (await find(query)).entries[0];
  const writing = { ...context, pending, readResponse, findTargets };
  const schedules = openSchedules(db);
  return {
    events,
    schedules,
    matchingBefore: async (type, filter, positions) =>
      events.matchingBefore(positions, await translated(() => matching(type, filter))),
    counters,
    componentIds: openComponentIds(db),
    count: (type, filter, places) => executeCount(db, compileCount(type, filter, places), { timeout }),
    find,
    findById: async (query, id, request = {}) => readList(compiled.entryPlan(query, id), query, request),
    keyOf: compiled.keyOf,
    cacheKey: async (queries, isEntry) => {
      const identity = compiled.identify(queries, isEntry);
      return { ...identity, versions: await versions.read([...identity.dependencies.keys()]) };
    },
    explain: (query) => explainRead(db, query, { order, timeout }),
    insertedEntry: (query, id, changes) => {
      if (query.filter !== undefined) return undefined;
      const { lookups, read, project } = compileQuery(query).main;
      if (lookups.length > 0 || project.length > 1) return undefined;
      return assemble([insertedDocument(id, changes)], {}, read)[0];
    },
    preview: (write, query, conditions) =>
      translated(async () => {
        const plan = previewPlan(write, query, await conditionOf(write.type, conditions));
        return (await executeRead(db, plan, { timeout, findEntry: primary.findEntry })).entries[0];
      }),
    snapshot: (type, id) => translated(() => readSnapshot(db, type, id, timeout)),
    apply: (writes, { only, unchanged, ...options } = {}) =>
      translated(async () => {
        const [primary] = writes;
        const condition = primary && (await conditionOf(primary.type, { only, unchanged }));
        const result = await applyWrites(writing, writes, { ...options, condition });
        await counters.restore();
        return result;
      }),
    applyBatch: (operations, key) =>
      translated(async () => {
        const condition = ({ primary, only }: BatchOperation) => conditionOf(primary.type, { only });
        const steps = operations.map(async (step) => ({ ...step, condition: await condition(step) }));
        return applyBatch(writing, await Promise.all(steps), counters, key);
      }),
    updateMany: (type, updates, filter) =>
      translated(async () => updateMany({ ...context, pending }, type, updates, await matching(type, filter))),
    removeMany: (type, removals, filter) =>
      translated(async () => removeMany({ ...context, pending }, type, removals, await matching(type, filter))),
    replace: (type, entries) => raising(type, () => replaceEntries(db, type, entries, timeout)),
    restore: async (type, documents) => {
      if (documents.some((document) => SCHEDULE in document)) await schedules.prepare(type);
      return raising(type, () => replaceDocuments(db, type.collectionName, documents, timeout));
    },
    ids: async function* ({ collectionName }) {
      const cursor = db
        .collection<{ _id: number }>(collectionName)
        .find({}, { projection: { _id: 1 }, maxTimeMS: timeout });
      for await (const { _id } of cursor) yield _id;
    },
    missing: (targets) => translated(() => findDecided(intents, () => findTargets(targets))),
    findFailedPrecondition: (type, id, changes, only) =>
      translated(async () => {
        const condition = only && (await matching(type, only));
        return findFailedPrecondition(db, type, { id, condition }, changes, timeout);
      }),
    takenKeys: (type, keys, except) => translated(() => findTakenKeys(db, type, keys, except, timeout)),
    ranks: (type, attribute, side) => readRanks(db, type, attribute, side, timeout),
    prepare: async (registry) => {
      const types = [...registry.contentTypes.values()];
      const refused = await Promise.all(types.map((type) => ensureIndexes(db, type)));
      await finishIntents(context, registry, { olderThan: exclusive ? 0 : abandoned, alone: exclusive });
      if (exclusive) await events.recover(registry, 0);
      await versions.raise(changesOf(types));
      return refused.flat();
    },
    sweep: (registry, olderThan = abandoned) =>
      translated(async () => {
        await pending.settle();
        await versions.raise([]);
        return finishIntents(context, registry, { olderThan, alone: olderThan === 0 });
      }),
  };
}
