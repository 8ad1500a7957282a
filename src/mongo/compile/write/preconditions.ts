import type { Document } from 'mongodb';
import { chainsOf, type Chain } from '../../../query/connect-chains.js';
import type {
  Changes,
  ComponentWrite,
  KeptComponent,
  LinkChange,
  Position,
  ValueChange,
} from '../../../query/mutation.js';
import { componentsHeld, prefixed } from '../components.js';

interface Anchor {
  readonly kind: 'anchor';
  readonly id: number;
  readonly position: Position;
  readonly condition: Document;
}

/** Several links are positioned relative to each other in a circle, so one must be linked already. */
interface Circle {
  readonly kind: 'circle';
  readonly condition: Document;
}

/** A condition on an entry that a change requires. */
export type Precondition =
  { readonly kind: 'components'; readonly attribute: string; readonly condition: Document } | Anchor | Circle;

/** The preconditions of a change: the components that it keeps, and the anchors of positions. */
export function preconditionsOf({ merges, links }: Changes): readonly Precondition[] {
  const components = [...merges].flatMap(([attribute, change]): readonly Precondition[] => {
    const condition = componentsHeld(attribute, change);
    const held = condition === undefined ? [] : [{ kind: 'components', attribute, condition } as const];
    return [...held, ...anchorsIn(attribute, change)];
  });
  return [...components, ...links.flatMap((change) => anchorsOf(change.attribute.name, change.attribute.many, change))];
}

/** Matches no entry. */
const never: Document = { $nor: [{}] };

/** An anchor must be linked and stay linked, or be connected too. */
function anchorsOf(
  path: string,
  many: boolean,
  { replaces, disconnect, connect }: LinkChange,
): readonly (Anchor | Circle)[] {
  if (!many || replaces) return [];
  const stayingIn = (ids: readonly number[]): readonly number[] => ids.filter((id) => !disconnect.includes(id));
  const linked = (ids: readonly number[]): Document => {
    const staying = stayingIn(ids);
    return staying.length === 0 ? never : { [path]: staying.length === 1 ? staying[0] : { $in: staying } };
  };
  const idsAt = (indexes: readonly number[]): readonly number[] =>
    indexes.flatMap((position) => connect[position]?.id ?? []);
  const connected = new Set(connect.map(({ id }) => id));
  const chains = chainsOf(connect);
  return connect.flatMap(({ id, position }, index): readonly (Anchor | Circle)[] => {
    const { ahead = [], circular = false } = chains[index] ?? {};
    if (circular) {
      const isLinked = linked(idsAt(ahead));
      const placed = pathsInto(ahead, chains.slice(0, index)).map((indexes) => stayingIn(idsAt(indexes)));
      if (placed.some((ids) => ids.length === 0)) return [];
      const alternatives = [
        ...(isLinked === never ? [] : [isLinked]),
        ...placed.map((ids) => ({ [path]: { $nin: ids } })),
      ];
      const [first = never] = alternatives;
      return [{ kind: 'circle', condition: alternatives.length > 1 ? { $or: alternatives } : first }];
    }
    if (!('id' in position) || connected.has(position.id) || position.otherwise !== undefined) return [];
    return [{ kind: 'anchor', id, position, condition: linked([position.id]) }];
  });
}

/**
 * Earlier elements can insert an element of a circle before its turn: for each that does, the indexes of the elements that
 * must not be linked, because its chain would end there.
 */
function pathsInto(circle: readonly number[], earlier: readonly Chain[]): readonly (readonly number[])[] {
  return earlier.flatMap(({ ahead }) => {
    const entry = ahead.findIndex((index) => circle.includes(index));
    return entry < 0 ? [] : [ahead.slice(0, entry)];
  });
}

function anchorsIn(path: string, change: ValueChange): readonly (Anchor | Circle)[] {
  switch (change.kind) {
    case 'value':
      return [];
    case 'links':
      return anchorsOf(path, change.many, change.change);
    case 'component':
      return anchorsWithin(change.component, (_, condition) => prefixed(path, condition));
    case 'components':
    case 'someComponents':
      return change.components.flatMap((component: ComponentWrite) =>
        anchorsWithin(component, ({ id, uid }, condition) => {
          const isIt = { id, ...(uid !== undefined && { __component: uid }) };
          return { [path]: { $elemMatch: { ...isIt, ...condition } } };
        }),
      );
    default:
      return change satisfies never;
  }
}

function anchorsWithin(
  component: ComponentWrite,
  around: (component: KeptComponent, condition: Document) => Document,
): readonly (Anchor | Circle)[] {
  if (component.kind === 'new') return [];
  const inner = [...component.changes].flatMap(([name, change]) => anchorsIn(name, change));
  return inner.map((anchor) => ({
    ...anchor,
    condition: anchor.condition === never ? never : around(component, anchor.condition),
  }));
}
