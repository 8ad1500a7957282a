import { setTimeout as wait } from 'node:timers/promises';
import type { Claims } from '../../mongo/claims.js';
import { takeTurnsBy } from './take-turns-by.js';

/** Milliseconds until a process asks again whether it is its turn. */
const PAUSE = 50;
/** Milliseconds after which another process that has its turn must have died. */
const PATIENCE = 30_000;

/** Runs work on the same thing one after the other, in all processes together. */
export type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createTurns({ claim, release }: Claims): Turns {
  const here = takeTurnsBy();
  return (key, work) =>
    here(key, async () => {
      const name = `upload ${key}`;
      for (let waited = 0; !(await claim(name)); waited += PAUSE) {
        if (waited >= PATIENCE) await release(name);
        await wait(PAUSE);
      }
      try {
        return await work();
      } finally {
        await release(name);
      }
    });
}
