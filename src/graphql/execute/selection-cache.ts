import type { FieldNode, GraphQLResolveInfo } from 'graphql';
import type { Caller } from '../../documents/caller.js';
import type { Selection } from '../../query/ast.js';
import { usesVariables } from './compiled/uses-variables.js';

/** What a field selects; on a cache miss `select` computes it for the caller that it receives. */
export type CachedSelection = (
  info: GraphQLResolveInfo,
  caller: Caller,
  select: (caller: Caller) => Selection,
) => Selection;

interface Remembered {
  readonly selection: Selection;
  /** The permissions of the caller that were checked, and their results. */
  readonly rights: ReadonlyMap<string, boolean>;
}

/**
 * Caches the selection of a field by its node in the cached document. It is valid for callers with the same results of the
 * permission checks, if the selection does not use variables.
 */
export function createSelectionCache(): CachedSelection {
  const cache = new WeakMap<FieldNode, Remembered>();
  return ({ fieldNodes, fragments }, caller, select) => {
    const [node, ...otherNodes] = fieldNodes;
    if (node === undefined || otherNodes.length > 0) return select(caller);
    const cached = cache.get(node);
    if (cached && [...cached.rights].every(([action, allowed]) => caller.may(action) === allowed))
      return cached.selection;
    if (usesVariables(node.selectionSet, fragments)) return select(caller);
    const rights = new Map<string, boolean>();
    const may = (action: string): boolean => {
      const allowed = caller.may(action);
      rights.set(action, allowed);
      return allowed;
    };
    const selection = select({ ...caller, may });
    cache.set(node, { selection, rights });
    return selection;
  };
}
