import type { Choose } from './explore.js';

/** Mostly goes on with the actor of the last step. */
const SWITCHES = 0.3;

/** Chooses by chance, the same for the same number: orders that a limited search, which begins with late commands, does not try. */
export function chooseByChance(seed: number): Choose {
  const random = createRandom(seed);
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

/** Numbers from 0 to 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = Math.trunc(state + 0x6d2b79f5);
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
