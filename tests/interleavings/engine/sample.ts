import { randomNumbers } from '../../support/random-numbers.js';
import type { Choose } from './explore.js';

/** Mostly goes on with the actor of the last step. */
const SWITCHES = 0.3;

/**
 * Chooses by chance, the same for the same number: orders that a limited search, which begins with late commands, does
 * not try.
 */
export function chooseByChance(seed: number): Choose {
  const random = randomNumbers(seed);
  let actor: string | undefined;
  return (enabled) => {
    const same = enabled.filter((one) => one.actor === actor);
    const candidates = same.length === 0 || random() < SWITCHES ? enabled : same;
    const next = candidates[Math.floor(random() * candidates.length)];
    actor = next?.actor;
    return next?.id;
  };
}

/** Takes all of a list one by one, from places far apart. */
export function takeApart<T>(list: T[], turn: number): T | undefined {
  return list.splice((turn * STRIDE) % list.length, 1)[0];
}

/** A prime. */
const STRIDE = 7919;
