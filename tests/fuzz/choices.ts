import { randomNumbers } from '../support/random-numbers.js';

/** Choices that are the same for the same seed. */
export interface Choices {
  /** A whole number from 0 to below the limit. */
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
  chance(probability: number): boolean;
  /** Up to so many, at least one. */
  times<T>(most: number, make: () => T): T[];
}

export function choicesOf(seed: number): Choices {
  const next = randomNumbers(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick: <T>(list: readonly T[]): T => list[below(list.length)] as T,
    chance: (probability) => next() < probability,
    times: (most, make) => Array.from({ length: 1 + below(most) }, make),
  };
}
