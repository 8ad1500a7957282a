import { connectInOrder, type Comer } from '../../../support/connect-in-order.js';

/** A tiny model of relations in memory: what is linked, in the order of both sides. */

export type Kind = 'node' | 'leaf';

/** A relation of nodes; `inverse` is its name on the other side. */
interface Relation {
  readonly target: Kind;
  readonly many: boolean;
  readonly inverse?: { readonly name: string; readonly many: boolean };
}

/** The relations of tests/api/documents/relations/content-types, by their name in a node. */
const relations: Readonly<Record<string, Relation>> = {
  partner: { target: 'leaf', many: false, inverse: { name: 'holder', many: false } },
  group: { target: 'leaf', many: false, inverse: { name: 'members', many: true } },
  labels: { target: 'leaf', many: true, inverse: { name: 'labelled', many: true } },
  favourite: { target: 'leaf', many: false },
  list: { target: 'leaf', many: true },
  parent: { target: 'node', many: false, inverse: { name: 'children', many: true } },
  peers: { target: 'node', many: true, inverse: { name: 'peerOf', many: true } },
  twin: { target: 'node', many: false, inverse: { name: 'twinOf', many: false } },
};

export type Place = Comer['place'];

/** A write to a relation, whatever form it is sent in. */
export interface Written {
  readonly replaces: boolean;
  readonly disconnect: readonly number[];
  readonly connect: readonly Comer[];
}

export interface Link {
  readonly __type: string;
  readonly id: number;
}

/** An attribute that leads from one kind to another. */
export interface Side {
  readonly name: string;
  readonly of: Kind;
  readonly target: Kind;
  readonly many: boolean;
  /** The name of its relation, and the side of it that this is. */
  readonly relation: string;
  readonly inverse: boolean;
}

export const sides: readonly Side[] = Object.entries(relations).flatMap(([name, { target, many, inverse }]) => [
  { name, of: 'node', target, many, relation: name, inverse: false },
  ...(inverse === undefined
    ? []
    : [{ ...inverse, of: target, target: 'node', relation: name, inverse: true } as const]),
]);

/** A list of ids for each id. */
type Lists = Map<number, readonly number[]>;

export interface Model {
  readonly entries: Readonly<Record<Kind, Set<number>>>;
  /** By relation: the targets of each node, and the nodes of each target. */
  readonly forward: Readonly<Record<string, Lists>>;
  readonly backward: Readonly<Record<string, Lists>>;
  readonly subjects: Map<number, Link>;
  readonly items: Map<number, readonly Link[]>;
}

export function emptyModel(): Model {
  const lists = (): Record<string, Lists> =>
    Object.fromEntries(Object.keys(relations).map((name) => [name, new Map() as Lists]));
  return {
    entries: { node: new Set(), leaf: new Set() },
    forward: lists(),
    backward: lists(),
    subjects: new Map(),
    items: new Map(),
  };
}

/** The ids that a side of an entry leads to, in its order. */
export function idsOf(model: Model, { relation, inverse }: Side, id: number): readonly number[] {
  return (inverse ? model.backward : model.forward)[relation]?.get(id) ?? [];
}

/** The targets of a side after a write; undefined when it is refused. */
export function written(
  ids: readonly number[],
  many: boolean,
  { replaces, disconnect, connect }: Written,
  isNew: boolean,
): readonly number[] | undefined {
  if (!many && connect.length > 0) return (isNew ? connect.slice(0, 1) : connect.slice(-1)).map(({ id }) => id);
  return connectInOrder(replaces ? [] : ids.filter((id) => !disconnect.includes(id)), connect);
}

/** Writes a side of an entry, and what follows on the other side. */
export function write(model: Model, side: Side, id: number, change: Written, isNew: boolean): void {
  const before = idsOf(model, side, id);
  const after = written(before, side.many, change, isNew) ?? before;
  const comers = change.connect.map((one) => one.id).filter((one) => after.includes(one) && !before.includes(one));
  for (const gone of before) if (!after.includes(gone)) unlink(model, side, id, gone);
  for (const comer of comers) link(model, side, id, comer);
  (side.inverse ? model.backward : model.forward)[side.relation]?.set(id, after);
}

const pair = ({ inverse }: Side, id: number, other: number): readonly [node: number, target: number] =>
  inverse ? [other, id] : [id, other];

function unlink(model: Model, side: Side, id: number, other: number): void {
  const [node, target] = pair(side, id, other);
  const { relation } = side;
  drop(model.forward[relation], node, target);
  drop(model.backward[relation], target, node);
}

/** Each side gets the other at its end; a side that leads to one lets go of the one that it had. */
function link(model: Model, side: Side, id: number, other: number): void {
  const { relation } = side;
  const [node, target] = pair(side, id, other);
  const { many, inverse } = relations[relation] as Relation;
  if (!many) for (const one of model.forward[relation]?.get(node) ?? []) drop(model.backward[relation], one, node);
  if (inverse?.many === false) {
    for (const one of model.backward[relation]?.get(target) ?? []) drop(model.forward[relation], one, target);
  }
  add(model.forward[relation], node, target, many);
  if (inverse !== undefined) add(model.backward[relation], target, node, inverse.many);
}

function drop(lists: Lists | undefined, id: number, gone: number): void {
  lists?.set(
    id,
    (lists.get(id) ?? []).filter((one) => one !== gone),
  );
}

function add(lists: Lists | undefined, id: number, comer: number, many: boolean): void {
  lists?.set(id, many ? [...(lists.get(id) ?? []).filter((one) => one !== comer), comer] : [comer]);
}

export function remove(model: Model, kind: Kind, id: number): void {
  model.entries[kind].delete(id);
  for (const [name, { target }] of Object.entries(relations)) {
    const { forward, backward } = { forward: model.forward[name], backward: model.backward[name] };
    for (const lists of [...(target === kind ? [forward] : []), ...(kind === 'node' ? [backward] : [])]) {
      for (const one of lists?.keys() ?? []) drop(lists, one, id);
    }
    if (kind === 'node') forward?.delete(id);
    if (target === kind) backward?.delete(id);
  }
  const leads = (link: Link): boolean => link.__type === uidOf(kind) && link.id === id;
  for (const [node, link] of model.subjects) if (leads(link)) model.subjects.delete(node);
  for (const [node, links] of model.items)
    model.items.set(
      node,
      links.filter((link) => !leads(link)),
    );
  if (kind === 'node') {
    model.subjects.delete(id);
    model.items.delete(id);
  }
}

export const uidOf = (kind: Kind): string => `api::${kind}.${kind}`;
