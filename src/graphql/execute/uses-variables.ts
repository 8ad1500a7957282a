import { BREAK, visit, type ASTNode, type FragmentDefinitionNode } from 'graphql';

/** Whether a part of a document, or a fragment that it spreads, depends on variables. */
export function usesVariables(
  part: ASTNode | undefined,
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
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
