import type { MorphedAttribute, RelationAttribute } from '../content-types/model/types.js';

/**
 * Strapi v4 finds the other side of a morph to many by the name of the field that an entry was attached to, which a
 * write through the API never sets: as recorded, nothing is ever found.
 */
export function isUnreachable(attribute: RelationAttribute | MorphedAttribute): boolean {
  if (attribute.kind !== 'morphed') return false;
  const morph = attribute.target.attributes.get(attribute.morphBy);
  return morph?.kind === 'morph' && morph.many;
}
