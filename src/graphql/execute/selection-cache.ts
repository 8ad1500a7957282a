import type { FieldNode, GraphQLResolveInfo } from 'graphql';
import type { Caller } from '../../documents/caller.js';
import type { Selection } from '../../query/ast.js';
import { usesVariables } from './compiled/uses-variables.js';

/** What a field selects; `select` works it out, for a caller who is given to it, where it is not known. */
export type CachedSelection = (
  info: GraphQLResolveInfo,
  caller: Caller,
  select: (caller: Caller) => Selection,
) => Selection;

interface Remembered {
  readonly selection: Selection;
  /** What the caller was asked for, and may do. */
  readonly rights: ReadonlyMap<string, boolean>;
}

/**
 * Remembers what a field selects by its place in the document, as documents are remembered: the next request has the
 * same when its caller has the same rights, as far as they were asked for, and variables have no part in it.
 */
export function createSelectionCache(): CachedSelection {
  const remembered = new WeakMap<FieldNode, Remembered>();
  return ({ fieldNodes, fragments }, caller, select) => {
    const [node, ...more] = fieldNodes;
    if (node === undefined || more.length > 0) return select(caller);
    const known = remembered.get(node);
    if (known && [...known.rights].every(([action, allowed]) => caller.may(action) === allowed)) return known.selection;
    if (usesVariables(node.selectionSet, fragments)) return select(caller);
    const rights = new Map<string, boolean>();
    const may = (action: string): boolean => {
      const allowed = caller.may(action);
      rights.set(action, allowed);
      return allowed;
    };
    const selection = select({ ...caller, may });
    remembered.set(node, { selection, rights });
    return selection;
  };
}
