import type { Document } from 'mongodb';
import { chainsOf } from '../../../query/connect-chains.js';
import type {
  Changes,
  ComponentWrite,
  KeptComponent,
  LinkChange,
  Position,
  ValueChange,
} from '../../../query/mutation.js';
import { componentsHeld, prefixed } from '../components.js';

interface Neighbour {
  readonly kind: 'neighbour';
  readonly id: number;
  readonly position: Position;
  readonly condition: Document;
}

/** Of several that are each placed beside another of them one is linked already. */
interface Circle {
  readonly kind: 'circle';
  readonly condition: Document;
}

/** Something that must be true of an entry for a change to make sense. */
export type Precondition =
  { readonly kind: 'components'; readonly attribute: string; readonly condition: Document } | Neighbour | Circle;

/** What a change takes for granted: components that it keeps, and neighbours that it places others beside. */
export function preconditionsOf({ merges, links }: Changes): readonly Precondition[] {
  const components = [...merges].flatMap(([attribute, change]): readonly Precondition[] => {
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

/** A neighbour must be linked already and stay, or be connected as well. */
function neighboursOf(
  path: string,
  many: boolean,
  { replaces, disconnect, connect }: LinkChange,
): readonly (Neighbour | Circle)[] {
  if (!many || replaces) return [];
  const linked = (ids: readonly number[]): Document => {
    const staying = ids.filter((id) => !disconnect.includes(id));
    return staying.length === 0 ? never : { [path]: staying.length === 1 ? staying[0] : { $in: staying } };
  };
  const comers = new Set(connect.map(({ id }) => id));
  const chains = chainsOf(connect);
  return connect.flatMap(({ id, position }, index): readonly (Neighbour | Circle)[] => {
    const { ahead = [], circular = false } = chains[index] ?? {};
    if (circular) {
      const others = ahead.flatMap((one) => connect[one]?.id ?? []);
      return [{ kind: 'circle', condition: linked(others) }];
    }
    if (!('id' in position) || comers.has(position.id) || position.otherwise !== undefined) return [];
    return [{ kind: 'neighbour', id, position, condition: linked([position.id]) }];
  });
}

function neighboursIn(path: string, change: ValueChange): readonly (Neighbour | Circle)[] {
  switch (change.kind) {
    case 'value':
      return [];
    case 'links':
      return neighboursOf(path, change.many, change.change);
    case 'component':
      return neighboursWithin(change.component, (_, condition) => prefixed(path, condition));
    case 'components':
    case 'someComponents':
      return change.components.flatMap((component: ComponentWrite) =>
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
  around: (component: KeptComponent, condition: Document) => Document,
): readonly (Neighbour | Circle)[] {
  if (component.kind === 'new') return [];
  const inner = [...component.changes].flatMap(([name, change]) => neighboursIn(name, change));
  return inner.map((one) => ({
    ...one,
    condition: one.condition === never ? never : around(component, one.condition),
  }));
}
