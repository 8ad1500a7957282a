import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AppError } from '../../../src/errors/app-error.js';
import { useService } from '../../support/service.js';
import { emptyModel, idsOf, remove, sides, uidOf, write, written, type Kind, type Model } from './model.js';
import { randomStep, type Step } from './random-writes.js';

const SEQUENCES = 1000;
/** Milliseconds; on a busy machine fewer sequences must do. */
const TIME = 20_000;

const client = useService({ contentTypes: 'tests/api/relations/content-types' });

/** Is the step refused? A neighbour that is not linked. */
const isRefused = (model: Model, step: Step): boolean =>
  step.kind === 'write' &&
  step.changes.some(({ side, change }) => {
    const before = step.id === undefined ? [] : idsOf(model, side, step.id);
    return written(before, side.many, change) === undefined;
  });

/** Sends a step, and lets the model follow. */
async function take(model: Model, step: Step): Promise<void> {
  const { entries } = client.service;
  const uid = uidOf(step.of);
  if (step.kind === 'delete') {
    await entries.delete(uid, step.id);
    remove(model, step.of, step.id);
    return;
  }
  const { data } = step;
  const sending = step.id === undefined ? entries.create(uid, data) : entries.update(uid, step.id, data);
  if (isRefused(model, step)) {
    await expect(sending).rejects.toThrow('needs to be connected first');
    return;
  }
  const { id } = await sending;
  model.entries[step.of].add(id);
  // The entry itself is written first, the others after it.
  for (const { side, change } of step.changes) if (!side.inverse) write(model, side, id, change);
  for (const { side, change } of step.changes) if (side.inverse) write(model, side, id, change);
  const exists = ({ __type, id: target }: { __type: string; id: number }): boolean =>
    [...(['node', 'leaf'] as const)].some((kind) => uidOf(kind) === __type && model.entries[kind].has(target));
  if (step.subject === null || (step.subject && !exists(step.subject))) model.subjects.delete(id);
  else if (step.subject) model.subjects.set(id, step.subject);
  const items = step.items?.filter(exists) ?? [];
  if (items.length > 0) model.items.set(id, items);
  if (step.notes !== undefined) noteDown(model, id, step.notes);
}

function noteDown({ subjects }: Model, leaf: number, { replaces, connect, disconnect }: NonNullable<Notes>): void {
  const link = { __type: uidOf('leaf'), id: leaf };
  const connected = connect.map(({ id }) => id);
  for (const [node, held] of subjects) {
    const goes = replaces || disconnect.includes(node);
    if (held.__type === link.__type && held.id === leaf && goes && !connected.includes(node)) subjects.delete(node);
  }
  for (const node of connected) subjects.set(node, link);
}
type Notes = Extract<Step, { kind: 'write' }>['notes'];

/** All relations of all entries, as the model has them. */
function expected(model: Model): Readonly<Record<string, unknown>> {
  const list: [string, unknown][] = [];
  for (const kind of ['node', 'leaf'] as const) {
    for (const id of model.entries[kind]) {
      const own = sides.filter(({ of }) => of === kind).map((side) => [side.name, idsOf(model, side, id)] as const);
      list.push([`${kind} ${id}`, { ...Object.fromEntries(own), ...others(model, kind, id) }]);
    }
  }
  return Object.fromEntries(list);
}

function others({ subjects, items }: Model, kind: Kind, id: number): object {
  if (kind === 'node') {
    const subject = subjects.get(id);
    return { subject: subject === undefined ? [] : [subject.id], items: items.get(id) ?? [] };
  }
  const notes = [...subjects].flatMap(([node, link]) =>
    link.__type === uidOf('leaf') && link.id === id ? [node] : [],
  );
  return { notes: notes.toSorted((a, b) => a - b) };
}

type Related = { readonly id: number; readonly __type?: string };

/** The same, as they are read. */
async function found(): Promise<Readonly<Record<string, unknown>>> {
  const lists = await Promise.all((['node', 'leaf'] as const).map(foundOf));
  return Object.fromEntries(lists.flat());
}

async function foundOf(kind: Kind): Promise<readonly (readonly [string, unknown])[]> {
  const names = [...sides.filter(({ of }) => of === kind).map(({ name }) => name), ...morphs[kind]];
  const populate = Object.fromEntries(names.map((name) => [name, { fields: ['id'] }]));
  const params = { fields: ['id'], populate, pagination: { limit: 1000 } };
  const entries = await client.service.entries.findMany(uidOf(kind), params);
  return entries.map((entry) => {
    const related = names.map((name) => {
      const values = [(entry[name] ?? []) as Related | readonly Related[]].flat();
      return [name, values.map(({ id, __type }) => (name === 'items' ? { __type, id } : id))] as const;
    });
    return [`${kind} ${entry.id}`, Object.fromEntries(related)] as const;
  });
}

const morphs = { node: ['subject', 'items'], leaf: ['notes'] } as const;

test('both sides of every relation agree after each of a thousand random sequences of writes', async () => {
  const model = emptyModel();
  const deadline = Date.now() + TIME;
  let sequences = 0;
  const tape = fc.array(fc.nat(0xff_ff), { minLength: 97, maxLength: 97, size: 'max' });
  await fc.assert(
    fc.asyncProperty(fc.array(tape, { minLength: 1, maxLength: 3 }), async (tapes) => {
      if (Date.now() > deadline) return;
      const before = structuredClone(expected(model));
      const steps: Step[] = [];
      for (const numbers of tapes) {
        steps.push(randomStep(numbers, model));
        await take(model, steps.at(-1) as Step).catch((error: unknown) => {
          const reason = error instanceof AppError ? error.message : String(error);
          throw new Error(`${reason}\n${describe(before, steps)}`, { cause: error });
        });
      }
      const context = describe(before, steps);
      expect({ context, ...(await found()) }).toEqual({ context, ...expected(model) });
      sequences += 1;
    }),
    // What follows depends on what was before, so a failure cannot be made smaller.
    { numRuns: SEQUENCES, endOnFailure: true },
  );
  expect(sequences).toBeGreaterThan(50);
}, 60_000);

/** What was there, and what was written then. */
const describe = (before: object, steps: readonly Step[]): string =>
  [before, ...steps.map((step) => (step.kind === 'delete' ? step : { of: step.of, id: step.id, data: step.data }))]
    .map((one) => JSON.stringify(one))
    .join('\n');
