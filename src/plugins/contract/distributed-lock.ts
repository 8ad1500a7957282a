import type { Locks } from '../../mongo/coordination/locks.js';
import { createKeyedMutex } from './keyed-mutex.js';

/** Runs work on the same thing one after the other, in all processes together. */
export type DistributedLock = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** @param resource is done in turns: turns of different names do not meet */
export function createDistributedLock(resource: string, { hold }: Pick<Locks, 'hold'>): DistributedLock {
  // Within this process no polling is needed.
  const mutex = createKeyedMutex();
  return (key, work) => mutex(key, () => hold(`${resource} ${key}`, work));
}
