import { BREAK, visit, type ASTNode, type FieldNode, type GraphQLResolveInfo } from 'graphql';
import { hasRules, hasSameRights, observeRights, type Caller, type CheckedRights } from '../../documents/caller.js';
import type { Query } from '../../query/ast.js';
import { heldBytes, heldWithPlan } from '../../query/held-bytes.js';
import { createSizedCache } from '../../query/sized-cache.js';
import type { Arguments } from './listing.js';

/** Bytes of all queries that are remembered, with what is made of them later. */
const CACHE_BYTES = 16 * 2 ** 20;

interface Remembered {
  readonly query: Query;
  readonly kind: Caller['kind'];
  readonly rights: CheckedRights;
}

/** The query of a list field; `make` creates it for the given caller. */
type QueryOf = (info: GraphQLResolveInfo, args: Arguments, caller: Caller, make: (caller: Caller) => Query) => Query;

/**
 * Remembers the queries of list fields by their nodes in cached documents and their arguments, for callers with the
 * same results of the permission checks, unless rules limit them or the selection uses variables. A repeated field is
 * then the same query, so what the interceptors make of it, its plan and its key are remembered as well.
 */
export function rememberQueries(): QueryOf {
  const ids = new WeakMap<FieldNode, number>();
  let last = 0;
  const queries = createSizedCache<Remembered>({
    bytes: CACHE_BYTES,
    sizeOf: ({ query, rights }) => heldWithPlan(query) + heldBytes(rights),
  });
  const idOf = ({ fieldNodes, fragments }: GraphQLResolveInfo): number | undefined => {
    const [node, ...otherNodes] = fieldNodes;
    if (node === undefined || otherNodes.length > 0) return undefined;
    const before = ids.get(node);
    if (before !== undefined || usesVariables(node.selectionSet, fragments)) return before;
    last += 1;
    ids.set(node, last);
    return last;
  };
  return (info, args, caller, make) => {
    const id = hasRules(caller) ? undefined : idOf(info);
    const key = id === undefined ? '' : `${id} ${JSON.stringify(args, exact)}`;
    if (id === undefined) return make(caller);
    const before = queries.get(key);
    if (before?.kind === caller.kind && hasSameRights(caller, before.rights)) return before.query;
    const { observed, rights } = observeRights(caller);
    const query = make(observed);
    queries.set(key, { query, kind: caller.kind, rights });
    return query;
  };
}

/** Values without a form in JSON, which project code may set. */
export const exact = (_key: string, value: unknown): unknown =>
  value === undefined || typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))
    ? { value: String(value) }
    : value;

/** Whether a part of a document, or a fragment that it spreads, depends on variables. */
function usesVariables(
  part: ASTNode | undefined,
  fragments: GraphQLResolveInfo['fragments'],
  seen = new Set<string>(),
): boolean {
  let isUsed = false;
  const find = (): symbol => {
    isUsed = true;
    return BREAK as symbol;
  };
  if (part === undefined) return false;
  visit(part, {
    Variable: find,
    FragmentSpread: ({ name: { value: name } }) => {
      if (seen.has(name)) return undefined;
      seen.add(name);
      return usesVariables(fragments[name], fragments, seen) ? find() : undefined;
    },
  });
  return isUsed;
}
