/** Choices that are the same for the same seed. */
export interface Choices {
  /** A whole number from 0 to below the limit. */
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
  chance(probability: number): boolean;
  /** Up to so many, at least one. */
  times<T>(most: number, make: () => T): T[];
}

/** Source: mulberry32, a generator of 32 bits. */
export function choicesOf(seed: number): Choices {
  let state = Math.imul(seed, 0x9e_37_79_b9) | 0;
  const next = (): number => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick: <T>(list: readonly T[]): T => list[below(list.length)] as T,
    chance: (probability) => next() < probability,
    times: (most, make) => Array.from({ length: 1 + below(most) }, make),
  };
}
