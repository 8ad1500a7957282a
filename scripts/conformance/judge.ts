import { fillIn, type Captured } from './captured.js';
import { compare, type Comparison } from './compare.js';
import { normalise } from './normalise.js';
import type { Answer, Step } from './scenario.js';

export interface Verdict extends Comparison {
  /** Normalised. */
  readonly answer: Answer;
}

/** How the answers of a corpus are compared with the recorded ones. */
export interface Judge {
  /**
   * A step begins a group: only what the seed has captured is known, and what differs from run to run gets new names.
   */
  readonly begin: () => void;
  /** @param captured the values of earlier answers, and of this one @param own the names of those of this one */
  readonly judge: (step: Step, answer: Answer, captured: Captured, own: readonly string[]) => Verdict;
  /** The seed is done. */
  readonly keep: () => void;
}

/** Of Strapi v4, whose ids are numbers that are the same in each run. */
export const plainJudge: Judge = {
  begin: () => undefined,
  judge: (step, { status, body }, captured) => {
    const expected = { status: step.expect.status, body: fillIn(step.expect.body, captured) };
    const answer: Answer = { status, body: normalise(body) };
    return { answer, ...compare(expected, answer, step.unordered) };
  },
  keep: () => undefined,
};
