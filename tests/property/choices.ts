/**
 * Choices out of a tape of numbers: each takes the next, so a shorter tape or smaller numbers are a simpler outcome.
 */
export interface Choices {
  /** A number from 0 to below `end`; 0 where there is none. */
  readonly below: (end: number) => number;
  readonly oneOf: <T>(list: readonly T[]) => T;
  readonly chance: (percent: number) => boolean;
}

/** An exhausted tape returns zeros. */
export function choicesOf(tape: readonly number[]): Choices {
  let at = 0;
  const next = (): number => tape[at++] ?? 0;
  return {
    below: (end) => next() % Math.max(end, 1),
    oneOf: <T>(list: readonly T[]): T => {
      if (list.length === 0) throw new Error('There is nothing to choose from');
      return list[next() % list.length] as T;
    },
    chance: (percent) => next() % 100 >= 100 - percent,
  };
}
