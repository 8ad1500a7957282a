import type { PopulateNode, Selection } from '../../../query/ast.js';

/**
 * The name under which the value of a populated attribute is on the page. A component or zone that is asked for again,
 * under another key, is a copy: each may be filtered in its own way. No attribute begins with `_`.
 */
export function outputField(node: PopulateNode, { populate }: Selection): string {
  const { name } = node.attribute;
  if (node.kind !== 'component' && node.kind !== 'zone') return name;
  const before = populate.slice(0, populate.indexOf(node)).filter(({ attribute }) => attribute === node.attribute);
  return before.length === 0 ? name : `_${name}${before.length}`;
}
