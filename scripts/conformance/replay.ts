import { capture, fillIn, type Captured } from './captured.js';
import { reasonOf } from '../../src/errors/reason-of.js';
import type { Client } from './client.js';
import { compare } from './compare.js';
import type { Deviations } from './deviations.js';
import type { Difference } from './differences.js';
import { normalise } from './normalise.js';
import type { Answer, Scenario, Step } from './scenario.js';

/** How a step went. */
export interface Outcome {
  readonly area: string;
  readonly file: string;
  /** Counted from 1. */
  readonly step: number;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** Of a step that is not judged: why. */
  readonly rule: string | undefined;
  readonly lenient: readonly Difference[];
  readonly strict: readonly Difference[];
  /** Normalised; undefined when none came. */
  readonly answer: Answer | undefined;
  /** The order of lists in the answer does not count. */
  readonly unordered: boolean;
}

/** Sends the steps of a scenario, one after the other, and compares the answers. */
export async function replay(scenario: Scenario, client: Client, deviations: Deviations): Promise<readonly Outcome[]> {
  const { area, file, steps } = scenario;
  const outcomes: Outcome[] = [];
  let captured: Captured = {};
  for (const [index, step] of steps.entries()) {
    const { name, method = 'GET', path, unordered = false } = step;
    const judged = await judge(step, client, captured);
    captured = judged.captured;
    const { lenient, strict, answer } = judged;
    const rule = deviations(file, name);
    outcomes.push({ area, file, step: index + 1, name, method, path, rule, lenient, strict, answer, unordered });
  }
  return outcomes;
}

async function judge(step: Step, client: Client, before: Captured) {
  try {
    const { status, body } = await client.send(step, before);
    // The expectation may name values of this response.
    const captured = { ...before, ...capture(step.capture ?? {}, body) };
    const expected = { status: step.expect.status, body: fillIn(step.expect.body, captured) };
    const answer: Answer = { status, body: normalise(body) };
    return { captured, answer, ...compare(expected, answer, step.unordered) };
  } catch (error) {
    const difference = {
      at: '',
      expected: 'an answer',
      actual: reasonOf(error),
    };
    return { captured: before, answer: undefined, lenient: [difference], strict: [difference] };
  }
}
