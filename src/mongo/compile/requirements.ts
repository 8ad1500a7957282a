import type { Document } from 'mongodb';
import type { Changes, ComponentWrite, LinkChange, Position, ValueChange } from '../../query/write.js';
import { componentsHeld, prefixed } from './components.js';

interface Neighbour {
  readonly kind: 'neighbour';
  readonly id: number;
  readonly position: Position;
  readonly condition: Document;
}

/** Something that must be true of an entry for a change to make sense. */
export type Requirement =
  { readonly kind: 'components'; readonly attribute: string; readonly condition: Document } | Neighbour;

/** What a change takes for granted: components that it keeps, and neighbours that it places others beside. */
export function requirementsOf({ merges, links }: Changes): readonly Requirement[] {
  const components = [...merges].flatMap(([attribute, change]): readonly Requirement[] => {
    const condition = componentsHeld(attribute, change);
    const held = condition === undefined ? [] : [{ kind: 'components', attribute, condition } as const];
    return [...held, ...neighboursIn(attribute, change)];
  });
  return [
    ...components,
    ...links.flatMap((change) => neighboursOf(change.attribute.name, change.attribute.many, change)),
  ];
}

/** Holds for no entry. */
const never: Document = { $nor: [{}] };

/** A neighbour must be linked already and stay where it is, or be connected before. */
function neighboursOf(
  path: string,
  many: boolean,
  { replaces, disconnect, connect }: LinkChange,
): readonly Neighbour[] {
  if (!many || replaces) return [];
  const before = new Set<number>();
  return connect.flatMap(({ id, position }): readonly Neighbour[] => {
    const known = !('id' in position) || before.has(position.id);
    before.add(id);
    if (known) return [];
    const isGone = position.id === id || disconnect.includes(position.id);
    const condition = isGone ? never : { [path]: position.id };
    return [{ kind: 'neighbour', id, position, condition }];
  });
}

function neighboursIn(path: string, change: ValueChange): readonly Neighbour[] {
  switch (change.kind) {
    case 'value':
      return [];
    case 'links':
      return neighboursOf(path, change.many, change.change);
    case 'component':
      return neighboursWithin(change.component, (_, condition) => prefixed(path, condition));
    case 'components':
      return change.components.flatMap((component) =>
        neighboursWithin(component, ({ id, uid }, condition) => {
          const isIt = { id, ...(uid !== undefined && { __component: uid }) };
          return { [path]: { $elemMatch: { ...isIt, ...condition } } };
        }),
      );
    default:
      return change satisfies never;
  }
}

function neighboursWithin(
  component: ComponentWrite,
  around: (component: Extract<ComponentWrite, { kind: 'merge' }>, condition: Document) => Document,
): readonly Neighbour[] {
  if (component.kind === 'new') return [];
  const inner = [...component.changes].flatMap(([name, change]) => neighboursIn(name, change));
  return inner.map((one) => ({
    ...one,
    condition: one.condition === never ? never : around(component, one.condition),
  }));
}
