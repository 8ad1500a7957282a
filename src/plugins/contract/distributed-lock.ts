import type { Locks } from '../../mongo/coordination/locks.js';
import { createKeyedMutex } from './keyed-mutex.js';

/** Runs work on the same thing one after the other, in all processes together. */
export type DistributedLock = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** @param what is done in turns: turns of different names do not meet */
export function createDistributedLock(what: string, { hold }: Pick<Locks, 'hold'>): DistributedLock {
  // In this process nobody has to ask again and again.
  const here = createKeyedMutex();
  return (key, work) => here(key, () => hold(`${what} ${key}`, work));
}
