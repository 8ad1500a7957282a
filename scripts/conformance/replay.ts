import { capture, type Captured } from './captured.js';
import { reasonOf } from '../../src/errors/reason-of.js';
import type { Client } from './client.js';
import type { Deviations } from './deviations.js';
import type { Difference } from './differences.js';
import type { Judge } from './judge.js';
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

/** What an answer has to be compared with, and how. */
export interface Replay {
  readonly client: Client;
  readonly deviations: Deviations;
  readonly judge: Judge;
  /** What the answers of the seed have captured. */
  readonly seeded: Captured;
}

/** Sends the steps of a scenario, one after the other, and compares the answers. */
export async function replay(
  { area, file, phase, steps }: Scenario,
  { client, deviations, judge, seeded }: Replay,
): Promise<{ readonly outcomes: readonly Outcome[]; readonly captured: Captured }> {
  const outcomes: Outcome[] = [];
  let [captured, kept] = [seeded, seeded];
  for (const [index, step] of steps.entries()) {
    const { name, method = 'GET', path, unordered = false, group } = step;
    if (index === 0 || group !== steps[index - 1]?.group) {
      // What the seed captures, all know.
      if (phase === 'seed') {
        kept = captured;
        judge.keep();
      }
      captured = kept;
      judge.begin();
    }
    const rule = deviations(file, name);
    const judged = await send(step, client, captured, judge);
    captured = judged.captured;
    const { lenient, strict, answer } = judged;
    outcomes.push({ area, file, step: index + 1, name, method, path, rule, lenient, strict, answer, unordered });
  }
  return { outcomes, captured };
}

async function send(step: Step, client: Client, before: Captured, judge: Judge) {
  try {
    const answer = await client.send(step, before);
    // The expectation may name values of this response.
    const own = capture(step.capture ?? {}, answer.body);
    const captured = { ...before, ...own };
    return { captured, ...judge.judge(step, answer, captured, Object.keys(own)) };
  } catch (error) {
    const difference = {
      at: '',
      expected: 'an answer',
      actual: reasonOf(error),
    };
    return { captured: before, answer: undefined, lenient: [difference], strict: [difference] };
  }
}
