import type { Outcome } from './replay.js';

/** How an area stands: numbers of steps. */
export interface Score {
  readonly judged: number;
  /** As recorded, but for the wording of errors. */
  readonly lenient: number;
  /** As recorded, wording and all. */
  readonly strict: number;
  readonly notJudged: number;
}

/** By area, in the order of their names. */
export type Scores = Readonly<Record<string, Score>>;

/** Counts outcomes by area. */
export function scoresOf(outcomes: readonly Outcome[]): Scores {
  const areas = [...new Set(outcomes.map(({ area }) => area))].toSorted();
  return Object.fromEntries(areas.map((area) => [area, scoreOf(outcomes.filter((one) => one.area === area))]));
}

function scoreOf(outcomes: readonly Outcome[]): Score {
  const judged = outcomes.filter(({ rule }) => rule === undefined);
  return {
    judged: judged.length,
    lenient: judged.filter(({ lenient }) => lenient.length === 0).length,
    strict: judged.filter(({ strict }) => strict.length === 0).length,
    notJudged: outcomes.length - judged.length,
  };
}

/** All areas together. */
export function totalOf(scores: Scores): Score {
  const sum = (key: keyof Score): number => Object.values(scores).reduce((total, score) => total + score[key], 0);
  return { judged: sum('judged'), lenient: sum('lenient'), strict: sum('strict'), notJudged: sum('notJudged') };
}
