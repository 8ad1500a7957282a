import type { Document } from 'mongodb';
import type { Changes, Links, Position } from '../../query/write.js';
import { componentsHeld } from './components.js';

/** Something that must be true of an entry for a change to make sense. */
export type Requirement =
  | { readonly kind: 'components'; readonly attribute: string; readonly condition: Document }
  | { readonly kind: 'neighbour'; readonly id: number; readonly position: Position; readonly condition: Document };

/** What a change takes for granted: components that it keeps, and neighbours that it places others beside. */
export function requirementsOf({ merges, links }: Changes): readonly Requirement[] {
  const components = [...merges].flatMap(([attribute, change]): readonly Requirement[] => {
    const condition = componentsHeld(attribute, change);
    return condition === undefined ? [] : [{ kind: 'components', attribute, condition }];
  });
  return [...components, ...links.flatMap(neighboursOf)];
}

/** A neighbour must be linked already, or be connected before. */
function neighboursOf({ attribute, replaces, connect }: Links): readonly Requirement[] {
  if (!attribute.many || replaces) return [];
  const before = new Set<number>();
  return connect.flatMap(({ id, position }): readonly Requirement[] => {
    const known = !('id' in position) || before.has(position.id);
    before.add(id);
    if (known) return [];
    return [{ kind: 'neighbour', id, position, condition: { [attribute.name]: position.id } }];
  });
}
