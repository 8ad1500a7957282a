import { describeSort } from '../../query/parse/cursor.js';
import { withId, type Query } from '../../query/ast.js';
import { dependenciesOf, uniteDependencies, type Dependencies } from '../../query/dependencies.js';
import type { Plan } from '../compile/plan.js';
import { compileQuery, planWithId } from '../compile/read/compile-query.js';
import { memoize } from '../../query/memoize.js';
import { planKey } from './versioned-cache.js';

/** Queries with their plans: each is compiled once, as long as it is in memory. */
export interface CompiledQueries {
  plan(query: Query): Plan;
  /** The plan of a query for the entry with this id. */
  entryPlan(query: Query, id: number): Plan;
  /** Equal for queries that read the same. */
  keyOf(query: Query): string;
  /** What identifies and what affects the result of these queries; of the entry with an id, which is not in them, if isEntry. */
  identify(queries: readonly Query[], isEntry?: boolean): Identity;
}

export interface Identity {
  /** A hash of the keys. */
  readonly key: string;
  readonly dependencies: Dependencies;
}

export function createCompiledQueries(): CompiledQueries {
  const plan = memoize(compileQuery);
  const keyOf = (query: Query): string => planKey(query.pagination, describeSort(query.sort), plan(query));
  const identifyAs = (isEntry: boolean) =>
    memoize((query: Query): Identity => ({ key: keyOf(query), dependencies: dependenciesOf(query, isEntry) }));
  const [identifyList, identifyEntry] = [identifyAs(false), identifyAs(true)];
  /** With any id. */
  const entryPlans = memoize((query: Query) => compileQuery(withId(query, 1)));
  const entryPlan = (query: Query, id: number): Plan =>
    query.filter === undefined && query.sort.length === 0
      ? planWithId(entryPlans(query), id)
      : compileQuery(withId(query, id));
  return {
    plan,
    entryPlan,
    keyOf,
    identify: (queries, isEntry = false) => {
      const identities = queries.map(isEntry ? identifyEntry : identifyList);
      const [first] = identities;
      return first !== undefined && identities.length === 1 ? first : unite(identities);
    },
  };
}

const unite = (identities: readonly Identity[]): Identity => ({
  key: identities.map(({ key }) => key).join(' '),
  dependencies: uniteDependencies(identities.map(({ dependencies }) => dependencies)),
});
