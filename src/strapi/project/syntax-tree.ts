/** A node of the syntax tree, of which each kind has other members. */
export interface Node {
  readonly type: string;
  readonly loc: { readonly end: { readonly line: number } };
  readonly [member: string]: unknown;
}

/** Whether a member of a node is a node. */
export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** The nodes of a member, such as the statements of a block; those that are left out are none. */
export const nodesOf = (member: unknown): readonly Node[] => [member].flat().filter(isNode);

export const childrenOf = (node: Node): readonly Node[] => Object.values(node).flatMap(nodesOf);

/** A string, or a template without expressions. */
export function textOf(node: Node): string | undefined {
  if (node.type === 'StringLiteral') return String(node['value']);
  const [quasi, ...others] = node.type === 'TemplateLiteral' ? nodesOf(node['quasis']) : [];
  return others.length === 0 && quasi !== undefined
    ? String((quasi['value'] as { readonly cooked: unknown }).cooked)
    : undefined;
}
