import { describeSort } from '../../query/parse/cursor.js';
import { withId, type Query } from '../../query/ast.js';
import { dependenciesOf, uniteDependencies, type Dependencies } from '../../query/dependencies.js';
import type { Plan } from '../compile/plan.js';
import { compileQuery, planWithId } from '../compile/read/compile-query.js';
import { memoize } from '../../query/memoize.js';
import { planKey } from './versioned-cache.js';

/** A query; with an id, which is not in its filter, for the entry with this id only. */
export interface EntryQuery {
  readonly query: Query;
  readonly id?: number | undefined;
}

/** Queries with their plans: each is compiled once, as long as it is in memory. */
export interface CompiledQueries {
  /** A query with an id is compiled once for all ids. */
  plan(read: EntryQuery): Plan;
  /** Equal for queries that read the same. */
  keyOf(query: Query): string;
  /** What identifies and what affects the results of these queries. */
  identify(reads: readonly EntryQuery[]): Identity;
}

export interface Identity {
  /** A hash of the keys. */
  readonly key: string;
  readonly dependencies: Dependencies;
}

export function createCompiledQueries(): CompiledQueries {
  const listPlan = memoize(compileQuery);
  const keyOf = (query: Query): string => planKey(query.pagination, describeSort(query.sort), listPlan(query));
  const identifyAs = (isEntry: boolean) =>
    memoize((query: Query): Identity => ({ key: keyOf(query), dependencies: dependenciesOf(query, isEntry) }));
  const [identifyList, identifyEntry] = [identifyAs(false), identifyAs(true)];
  /** With any id. */
  const entryPlans = memoize((query: Query) => compileQuery(withId(query, 1)));
  const entryPlan = (query: Query, id: number): Plan =>
    query.filter === undefined && query.sort.length === 0
      ? planWithId(entryPlans(query), id)
      : compileQuery(withId(query, id));
  const identifyOne = ({ query, id }: EntryQuery): Identity => {
    if (id === undefined) return identifyList(query);
    const { key, dependencies } = identifyEntry(query);
    return { key: `${id} ${key}`, dependencies };
  };
  return {
    plan: ({ query, id }) => (id === undefined ? listPlan(query) : entryPlan(query, id)),
    keyOf,
    identify: (reads) => {
      const identities = reads.map(identifyOne);
      const [first] = identities;
      return first !== undefined && identities.length === 1 ? first : unite(identities);
    },
  };
}

const unite = (identities: readonly Identity[]): Identity => ({
  key: identities.map(({ key }) => key).join(' '),
  dependencies: uniteDependencies(identities.map(({ dependencies }) => dependencies)),
});
