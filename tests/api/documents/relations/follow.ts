import { idsOf, remove, sides, uidOf, write, written, type Kind, type Link, type Model } from './model.js';
import type { Step } from './random-writes.js';

/** Is the step refused? It places an entry beside one that is not linked, or connects one twice. */
export const isRefused = (model: Model, step: Step): boolean =>
  step.kind === 'write' &&
  step.changes.some(({ side, change }) => {
    const before = step.id === undefined ? [] : idsOf(model, side, step.id);
    return written(before, side.many, change, step.id === undefined) === undefined;
  });

/** Lets the model follow a step. @param id of the entry: a new one has it only now */
export function follow(model: Model, step: Step, id: number): void {
  if (step.kind === 'delete') {
    remove(model, step.of, id);
    return;
  }
  model.entries[step.of].add(id);
  // The entry itself is written first, the others after it.
  for (const { side, change } of step.changes) if (!side.inverse) write(model, side, id, change, step.id === undefined);
  for (const { side, change } of step.changes) if (side.inverse) write(model, side, id, change, step.id === undefined);
  const exists = (link: Link): boolean =>
    (['node', 'leaf'] as const).some((kind) => uidOf(kind) === link.__type && model.entries[kind].has(link.id));
  if (step.subject === null || (step.subject && !exists(step.subject))) model.subjects.delete(id);
  else if (step.subject) model.subjects.set(id, step.subject);
  // As recorded from Strapi v4: an empty list says nothing.
  if (step.items !== undefined && step.items.length > 0) model.items.set(id, step.items.filter(exists));
  if (step.notes !== undefined) noteDown(model, id, step.notes);
}

/** The other side of subjects: nodes that lead to a leaf. */
function noteDown(
  { subjects }: Model,
  leaf: number,
  { replaces, connect, disconnect }: NonNullable<Extract<Step, { kind: 'write' }>['notes']>,
): void {
  const connected = connect.map(({ id }) => id);
  for (const [node, held] of subjects) {
    const goes = replaces || disconnect.includes(node);
    if (leadsTo(held, leaf) && goes && !connected.includes(node)) subjects.delete(node);
  }
  for (const node of connected) subjects.set(node, { __type: uidOf('leaf'), id: leaf });
}

const leadsTo = ({ __type, id }: Link, leaf: number): boolean => __type === uidOf('leaf') && id === leaf;

/** All relations of all entries, by kind and id; an empty one is an empty list. */
export type Graph = Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;

/** The attributes of a kind that lead somewhere. */
export const namesOf = (kind: Kind): readonly string[] => [
  ...sides.filter(({ of }) => of === kind).map(({ name }) => name),
  ...(kind === 'node' ? ['subject', 'items'] : ['notes']),
];

/** The stored state that the model expects. */
export function graphOf(model: Model): Graph {
  const graph: [string, Graph[string]][] = [];
  for (const kind of ['node', 'leaf'] as const) {
    for (const id of model.entries[kind]) {
      const own = sides.filter(({ of }) => of === kind).map((side) => [side.name, idsOf(model, side, id)] as const);
      graph.push([`${kind} ${id}`, { ...Object.fromEntries(own), ...morphsOf(model, kind, id) }]);
    }
  }
  return Object.fromEntries(graph);
}

function morphsOf({ subjects, items }: Model, kind: Kind, id: number): Graph[string] {
  if (kind === 'node') {
    const subject = subjects.get(id);
    return { subject: subject === undefined ? [] : [subject.id], items: items.get(id) ?? [] };
  }
  const notes = [...subjects].flatMap(([node, link]) => (leadsTo(link, id) ? [node] : []));
  return { notes: notes.toSorted((a, b) => a - b) };
}
