import type { Db } from 'mongodb';
import type { ContentType } from '../../content-types/model/types.js';
import { withId, type Aggregate, type Filter, type Query } from '../../query/ast.js';
import type { EntryIds } from '../../query/change.js';
import type { LazyEntry } from '../../query/entry-presenter.js';
import {
  contentsOf,
  dependenciesOf,
  narrowDependenciesOf,
  uniteContents,
  uniteDependencies,
  type Contents,
  type Dependencies,
  type NarrowDependencies,
} from '../../query/dependencies.js';
import { memoize } from '../../query/memoize.js';
import { describeSort, writeCursor } from '../../query/parse/cursor.js';
import { openEarlierVersions } from '../cache/earlier-versions.js';
import { createCountCache } from '../cache/count-cache.js';
import type { IdCache } from '../cache/id-cache.js';
import { planKey } from '../cache/plan-key.js';
import { stillHolds, type Sources } from '../cache/versioned-cache.js';
import { versionText, type TypeVersions, type Versions } from '../cache/versions.js';
import { compileGroups } from '../compile/groups/compile-groups.js';
import type { GroupPlan, ReadPlan } from '../compile/plan.js';
import { bothConditions, compileCount, compileQuery, planWithId } from '../compile/read/compile-query.js';
import { translated } from '../errors.js';
import { unlocked } from '../transactions/format.js';
import type { FindEntry } from './entry-loader.js';
import { executeGroups } from './execute-groups.js';
import { executeCount, executeRead, type CopiedChanges, type PageRead } from './execute-read.js';
import { explainRead, type Explanation } from './explain-read.js';
import { createNaturalOrder } from './natural-order.js';
import { countBytes, type BytesRead } from './read-batch.js';

/** A list as it was read; `total` is set if the query requests it. */
export interface Page<Entry = unknown> {
  readonly entries: readonly Entry[];
  readonly total: number | undefined;
  /** The cursor of the next slice, null after the last one; set if the query uses a cursor. */
  readonly next?: string | null;
  /** Those of all entries that were read, related ones too. */
  readonly ids?: () => EntryIds;
  /** See `PageRead`. */
  readonly copies?: CopiedChanges | undefined;
}

/** Options of a read; with an id, which is not in the filter of the query, of the entry with this id only. */
export interface FindOptions extends Pick<EntryQuery, 'id'> {
  /** Cancels the read. */
  readonly signal?: AbortSignal | undefined;
  /** The result can be stale: no decision depends on it. */
  readonly mayLag?: boolean | undefined;
  /** The bytes already read for the same response. */
  readonly bytesRead?: BytesRead | undefined;
  /** The versions of all types of the query, if they were read for the same request. */
  readonly versions?: TypeVersions | undefined;
  /** Finds only entries that no transaction has locked: others may have values that are undone. */
  readonly isUnlocked?: boolean | undefined;
}

/** Identifies the result of queries. */
export interface CacheKey extends Identity {
  /** The versions of the content types that are read. */
  readonly versions: TypeVersions;
}

/** A database to read from, and what its reads share. */
interface ReadSource {
  readonly from: Db;
  readonly findEntry: FindEntry;
  readonly idCache?: IdCache;
}

interface ReadSources {
  readonly primary: ReadSource;
  /** For reads that can be stale. */
  readonly lagging: ReadSource;
  readonly versions: Versions;
  /** The time limit of a command in milliseconds. */
  readonly timeout: number;
  /** The maximum size of a response in bytes. */
  readonly responseLimit: number;
  /** Types whose changes may affect every response; default: none. */
  readonly common?: readonly string[] | undefined;
}

/** The reads of entries from these databases, and what their results depend on. */
export function openEntryReads({ primary, lagging, versions, timeout, responseLimit, common = [] }: ReadSources) {
  const db = primary.from;
  const compiled = createCompiledQueries();
  const commonVersions = openEarlierVersions(versions, common);
  const order = createNaturalOrder(timeout);
  const totals = createCountCache();
  return {
    /** Reads a page, and its total, which is cached. */
    find: async (query: Query, options: FindOptions = {}): Promise<Page<LazyEntry>> => {
      const { type, pagination, sort } = query;
      const { id, signal, mayLag = false, bytesRead = { bytes: 0 }, versions: known, isUnlocked = false } = options;
      const { from, ...sharing } = mayLag ? lagging : primary;
      // Reads of internal code have no limit.
      const count = signal === undefined ? undefined : countBytes(bytesRead, responseLimit);
      const reading = { timeout, signal, count, ...sharing };
      const { withCount } = pagination;
      const readVersions: Versions['read'] = async (types) => known ?? versions.read(types);
      const grouped = compiled.groups(query);
      if (grouped !== undefined) {
        const hint = await translated(() => order.hintOf(from, type, grouped));
        const { groups, total } = await executeGroups(from, grouped, { ...reading, readVersions, hint });
        return { entries: groups.map((group) => () => group), total: withCount ? total : undefined, ids: noIds };
      }
      const planned = compiled.plan({ query, id });
      const wanted = isUnlocked ? withoutLocked(planned) : planned;
      // One entry that is named needs no scan.
      const isNamed = wanted.main.id !== undefined || wanted.main.document !== undefined;
      const plan = isNamed ? wanted : await translated(() => order(from, type, wanted));
      const read = await executeRead(from, plan, { ...reading, withCount, readVersions });
      const { page, next } = cutPage({ sort, pagination }, read);
      const { entries, filter, ids, copies } = page;
      if (!withCount) return { entries, total: undefined, ids, ...(copies && { copies }), ...next };
      // A total is cached, so it is counted on the primary.
      const counted = from === db ? { before: [], count: { ...plan.count, filter } } : plan;
      const total = await totals.get(wanted, page, pagination, () => executeCount(db, counted, reading));
      return { entries, total, ids, ...(copies && { copies }), ...next };
    },
    /** Refuses a query that no entry could be read by. @throws AppError tooCostly */
    assertReadable: (read: EntryQuery): void => void compiled.plan(read),
    /** Equal for queries that read the same, including conditions of permissions; the caller is not part of it. */
    keyOf: compiled.keyOf,
    /** The cache key of the response to these queries. */
    cacheKey: async (reads: readonly EntryQuery[]): Promise<CacheKey> => {
      const identity = compiled.identify(reads);
      return { ...identity, versions: await versions.read([...identity.dependencies.keys()]) };
    },
    /** The versions of the types that may affect every response, before what the process decides by was read. */
    commonVersions,
    /**
     * Whether no write since affects what was read from these sources, and no type has changed that may affect every
     * response.
     */
    stillHolds: async (sources: Sources, before: TypeVersions | undefined): Promise<boolean> => {
      const current = await versions.read([...sources.dependencies.keys(), ...common]);
      const isSame = before !== undefined && versionText(common, before) === versionText(common, current);
      return isSame && stillHolds(sources, current);
    },
    /** The commands of a query and their execution plans. */
    explain: ({ query, id }: EntryQuery): Promise<Explanation> =>
      explainRead(db, id === undefined ? query : withId(query, id), { order, timeout }),
    /** @param componentPaths the paths whose components are counted; see `Query` */
    count: (type: ContentType, filter: Filter | undefined, componentPaths?: Query['componentPaths']): Promise<number> =>
      executeCount(db, compileCount(type, filter, componentPaths), { timeout }),
    /** The ids of all entries of a type, batch by batch. */
    ids: (type: ContentType): AsyncIterable<number> => readIds(db, type, timeout),
  };
}

export type EntryReads = ReturnType<typeof openEntryReads>;

/** A group contains no entry: a change that affects it is of what it depends on. */
const noIds = (): EntryIds => new Map();

const withoutLocked = ({ main: { document: _named, ...main }, ...plan }: ReadPlan): ReadPlan => ({
  ...plan,
  main: { ...main, id: undefined, filter: bothConditions(main.filter, unlocked) },
});

/** Removes the entry that was read only to see whether there is a next page, and returns where that page begins. */
function cutPage(
  { sort, pagination: { after, limit } }: Pick<Query, 'sort' | 'pagination'>,
  read: PageRead,
): { readonly page: PageRead; readonly next: Pick<Page, 'next'> } {
  if (after === undefined) return { page: read, next: {} };
  const last = read.entries.length > limit ? read.cursors[limit - 1] : undefined;
  return {
    page: { ...read, entries: read.entries.slice(0, limit) },
    next: { next: last === undefined ? null : writeCursor(last(), sort) },
  };
}

async function* readIds(db: Db, { collectionName }: ContentType, maxTimeMS: number): AsyncIterable<number> {
  const cursor = db.collection<{ _id: number }>(collectionName).find({}, { projection: { _id: 1 }, maxTimeMS });
  for await (const { _id } of cursor) yield _id;
}

/** A query; with an id, which is not in its filter, for the entry with this id only. */
export interface EntryQuery {
  readonly query: Query;
  readonly id?: number | undefined;
}

const isGrouped = (query: Query): query is Query & { readonly aggregate: Aggregate } => query.aggregate !== undefined;

export interface Identity {
  /** A hash of the keys. */
  readonly key: string;
  readonly dependencies: Dependencies;
  /** Those of a result with some numbers of entries, if they are fewer. */
  readonly narrow?: NarrowDependencies | undefined;
  readonly contents: Contents;
}

/** Queries with their plans: each is compiled once, as long as it is in memory. */
export function createCompiledQueries() {
  const listPlan = memoize(compileQuery);
  const groupPlan = memoize((query: Query & { readonly aggregate: Aggregate }) =>
    compileGroups(query, query.aggregate),
  );
  const groups = (query: Query): GroupPlan | undefined => (isGrouped(query) ? groupPlan(query) : undefined);
  /** Equal for queries that read the same. */
  const keyOf = (query: Query): string =>
    planKey(query.pagination, describeSort(query.sort), groups(query) ?? listPlan(query));
  const identifyGroups = (query: Query): Identity => ({
    key: keyOf(query),
    dependencies: dependenciesOf(query),
    contents: { shown: new Map(), joins: [] },
  });
  const identifyAs = (isEntry: boolean) =>
    memoize((query: Query): Identity =>
      isGrouped(query)
        ? identifyGroups(query)
        : {
            key: keyOf(query),
            dependencies: dependenciesOf(query, isEntry),
            narrow: isEntry ? undefined : narrowDependenciesOf(query),
            contents: contentsOf(query),
          },
    );
  const [identifyList, identifyEntry] = [identifyAs(false), identifyAs(true)];
  /** Plans compiled once with the id 1; `planWithId` puts the real one in. */
  const entryPlans = memoize((query: Query) => compileQuery(withId(query, 1)));
  const entryPlan = (query: Query, id: number): ReadPlan =>
    query.filter === undefined && query.sort.length === 0
      ? planWithId(entryPlans(query), id)
      : compileQuery(withId(query, id));
  const identifyOne = ({ query, id }: EntryQuery): Identity => {
    if (id === undefined) return identifyList(query);
    const identity = identifyEntry(query);
    return { ...identity, key: `${id} ${identity.key}` };
  };
  return {
    /** A query with an id is compiled once for all ids. */
    plan: ({ query, id }: EntryQuery): ReadPlan => (id === undefined ? listPlan(query) : entryPlan(query, id)),
    /** Of a query whose entries are grouped; undefined: they are not. */
    groups,
    keyOf,
    /** What identifies and what affects the results of these queries. */
    identify: (reads: readonly EntryQuery[]): Identity => {
      const identities = reads.map(identifyOne);
      const [first] = identities;
      return first !== undefined && identities.length === 1 ? first : unite(identities);
    },
  };
}

const unite = (identities: readonly Identity[]): Identity => ({
  key: identities.map(({ key }) => key).join(' '),
  dependencies: uniteDependencies(identities.map(({ dependencies }) => dependencies)),
  contents: uniteContents(identities.map(({ contents }) => contents)),
});
