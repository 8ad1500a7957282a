import { describeSort } from '../../query/parse/cursor.js';
import { withId, type Query } from '../../query/ast.js';
import { typesOfQuery } from '../../query/walk.js';
import type { Plan } from '../compile/plan.js';
import { compileQuery, planWithId } from '../compile/read/compile-query.js';
import { planKey } from './versioned-cache.js';

/** Queries with their plans: each is compiled once, as long as it is in memory. */
export interface CompiledQueries {
  plan(query: Query): Plan;
  /** The plan of a query for the entry with this id. */
  entryPlan(query: Query, id: number): Plan;
  /** Equal for queries that read the same. */
  keyOf(query: Query): string;
  /** A hash of the key, and the uids of the content types that are read. */
  identify(query: Query): Identity;
}

interface Identity {
  readonly hash: string;
  readonly types: readonly string[];
}

export function createCompiledQueries(): CompiledQueries {
  const plan = remember(compileQuery);
  const keyOf = (query: Query): string => planKey(query.pagination, describeSort(query.sort), plan(query));
  const identify = remember((query): Identity => ({
    hash: keyOf(query),
    types: [...typesOfQuery(query)].map(({ uid }) => uid),
  }));
  /** With any id. */
  const entryPlans = remember((query) => compileQuery(withId(query, 1)));
  const entryPlan = (query: Query, id: number): Plan =>
    query.filter === undefined ? planWithId(entryPlans(query), id) : compileQuery(withId(query, id));
  return { plan, entryPlan, keyOf, identify };
}

function remember<T extends object>(compute: (query: Query) => T): (query: Query) => T {
  const results = new WeakMap<Query, T>();
  return (query) => {
    const before = results.get(query);
    if (before !== undefined) return before;
    const result = compute(query);
    results.set(query, result);
    return result;
  };
}
