import { expect, test } from '@jest/globals';
import fc from '../../../support/fast-check.js';
import { AppError } from '../../../../src/errors/app-error.js';
import { useService } from '../../../support/service.js';
import { follow, graphOf, isRefused, namesOf, type Graph } from './follow.js';
import { emptyModel, uidOf, type Kind, type Model } from './model.js';
import { randomStep, type Step } from './random-writes.js';
import { scaled } from '../../../support/scaled.js';

const SEQUENCES = scaled(40, 1000);

const client = useService({ contentTypes: 'tests/api/documents/relations/content-types' });

/** Sends a step, and lets the model follow. */
async function take(model: Model, step: Step): Promise<void> {
  const { entries } = client.service;
  const uid = uidOf(step.of);
  if (step.kind === 'delete') {
    await entries.delete(uid, step.id);
    follow(model, step, step.id);
    return;
  }
  const { data } = step;
  const sending = step.id === undefined ? entries.create(uid, data) : entries.update(uid, step.id, data);
  if (isRefused(model, step))
    await expect(sending).rejects.toThrow(/needs to be connected first|circular reference|already connected/);
  else follow(model, step, (await sending).id);
}

type Related = { readonly id: number; readonly __type?: string };

/** All relations as they are read. */
async function readGraph(): Promise<Graph> {
  const graphs = await Promise.all((['node', 'leaf'] as const).map(readKind));
  return Object.fromEntries(graphs.flat());
}

async function readKind(kind: Kind): Promise<readonly (readonly [string, Graph[string]])[]> {
  const names = namesOf(kind);
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

test('both sides of every relation agree after each of many random sequences of writes', async () => {
  const model = emptyModel();
  const tape = fc.array(fc.nat(0xff_ff), { minLength: 97, maxLength: 97, size: 'max' });
  await fc.assert(
    fc.asyncProperty(fc.array(tape, { minLength: 1, maxLength: 3 }), async (tapes) => {
      const before = graphOf(model);
      const steps: Step[] = [];
      for (const numbers of tapes) {
        const step = randomStep(numbers, model);
        steps.push(step);
        await take(model, step).catch((error: unknown) => {
          const reason = error instanceof AppError ? error.message : String(error);
          throw new Error(`${reason}\n${describe(before, steps)}`, { cause: error });
        });
      }
      const context = describe(before, steps);
      expect({ context, graph: await readGraph() }).toEqual({ context, graph: graphOf(model) });
    }),
    // Each write depends on the earlier ones, so a failure cannot be shrunk.
    { numRuns: SEQUENCES, endOnFailure: true },
  );
});

/** The state before a write, and the write. */
const describe = (before: Graph, steps: readonly Step[]): string =>
  [before, ...steps.map((step) => (step.kind === 'delete' ? step : { of: step.of, id: step.id, data: step.data }))]
    .map((one) => JSON.stringify(one))
    .join('\n');
