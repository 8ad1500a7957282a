import type { Attribute } from '../../../content-types/model/types.js';
import type { PopulateNode, Selection } from '../../../query/ast.js';

type Attributes = ReadonlyMap<string, Attribute>;

/**
 * Does a selection take what is stored of an entry or component, but for single ids? Then it is read as it is: to leave
 * nothing out costs the database less. What is hidden from the caller is in no selection, and so is never read.
 */
export function coversAllAttributes({ fields, populate }: Selection, attributes: Attributes): boolean {
  const selected = new Set<Attribute>([...fields, ...populate.map((node) => node.attribute)]);
  return [...attributes.values()].every((attribute) => {
    switch (attribute.kind) {
      case 'scalar':
      case 'morph':
        return selected.has(attribute);
      case 'relation':
        return attribute.side === 'inverse' || !attribute.many || selected.has(attribute);
      case 'morphed':
        return true;
      case 'component':
      case 'zone':
        return populate.some((node) => node.attribute === attribute && coversWholeNode(node));
      default:
        return attribute satisfies never;
    }
  });
}

/** The same for all that a populated attribute embeds; what is behind relations is not embedded. */
export function coversWholeNode(node: PopulateNode): boolean {
  switch (node.kind) {
    case 'component':
      return coversAllAttributes(node.selection, node.attribute.component.attributes);
    case 'zone':
      return [...node.attribute.components.values()].every(({ uid, attributes }) => {
        const selection = node.on.get(uid);
        return selection !== undefined && coversAllAttributes(selection, attributes);
      });
    case 'relation':
    case 'morph':
      return false;
    default:
      return node satisfies never;
  }
}
