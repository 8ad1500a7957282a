import type { Locks } from '../../mongo/coordination/locks.js';
import { createKeyedMutex } from './keyed-mutex.js';

/** Runs tasks of the same resource one after the other, across processes. */
export type DistributedLock = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** @param resource the name of a group of keys; different groups are independent */
export function createDistributedLock(resource: string, { hold }: Pick<Locks, 'hold'>): DistributedLock {
  // Within this process no polling is needed.
  const mutex = createKeyedMutex();
  return (key, work) => mutex(key, () => hold(`${resource} ${key}`, work));
}
