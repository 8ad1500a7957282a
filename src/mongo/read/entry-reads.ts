import type { Db } from 'mongodb';
import type { ContentType } from '../../content-types/model/types.js';
import { withId, type Filter, type Query } from '../../query/ast.js';
import type { LazyEntry } from '../../query/entry-presenter.js';
import { createCompiledQueries, type EntryQuery, type Identity } from '../cache/compiled-queries.js';
import type { TypeVersions } from '../cache/version-log.js';
import type { Versions } from '../cache/versions.js';
import { compileCount } from '../compile/read/compile-query.js';
import { executeCount } from './execute-read.js';
import { explainRead, type Explanation } from './explain-read.js';
import { createNaturalOrder } from './list/natural-order.js';
import type { Page } from './list/page.js';
import { createListReader, type ReadOptions, type ReadSource } from './list/read-list.js';

/** The reads of entries. */
export interface EntryReads {
  find(query: Query, options?: FindOptions): Promise<Page<LazyEntry>>;
  /** Equal for queries that read the same, including conditions of permissions; the caller is not part of it. */
  keyOf(query: Query): string;
  /** Under which the response to these queries can be cached. */
  cacheKey(reads: readonly EntryQuery[]): Promise<CacheKey>;
  /** The commands of a query and their execution plans. */
  explain(read: EntryQuery): Promise<Explanation>;
  /** @param places the paths whose components are counted; see `Query` */
  count(type: ContentType, filter: Filter | undefined, places?: Query['places']): Promise<number>;
  /** The ids of all entries of a type, batch by batch. */
  ids(type: ContentType): AsyncIterable<number>;
}

/** Options of a read; with an id, which is not in the filter of the query, of the entry with this id only. */
export interface FindOptions extends ReadOptions, Pick<EntryQuery, 'id'> {}

/** Identifies the result of queries. */
export interface CacheKey extends Identity {
  /** The versions of the content types that are read. */
  readonly versions: TypeVersions;
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
}

export function openEntryReads(sources: ReadSources): EntryReads {
  const { primary, versions, timeout } = sources;
  const db = primary.from;
  const compiled = createCompiledQueries();
  const order = createNaturalOrder(timeout);
  const readList = createListReader({ ...sources, order });
  return {
    find: async (query, options = {}) => readList(compiled.plan({ query, id: options.id }), query, options),
    keyOf: compiled.keyOf,
    cacheKey: async (reads) => {
      const identity = compiled.identify(reads);
      return { ...identity, versions: await versions.read([...identity.dependencies.keys()]) };
    },
    explain: ({ query, id }) => explainRead(db, id === undefined ? query : withId(query, id), { order, timeout }),
    count: (type, filter, places) => executeCount(db, compileCount(type, filter, places), { timeout }),
    ids: (type) => readIds(db, type, timeout),
  };
}

async function* readIds(db: Db, { collectionName }: ContentType, maxTimeMS: number): AsyncIterable<number> {
  const cursor = db.collection<{ _id: number }>(collectionName).find({}, { projection: { _id: 1 }, maxTimeMS });
  for await (const { _id } of cursor) yield _id;
}
