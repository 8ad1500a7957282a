import type { Locks } from '../../mongo/coordination/locks.js';

/** Runs tasks of the same resource one after the other, across processes. */
export type DistributedLock = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** @param resource the name of a group of keys; different groups are independent */
export function createDistributedLock(resource: string, { hold }: Pick<Locks, 'hold'>): DistributedLock {
  // Within this process no polling is needed.
  const mutex = createKeyedMutex();
  return (key, work) => mutex(key, () => hold(`${resource} ${key}`, work));
}

/** Runs tasks of the same key one after the other, and tasks of other keys concurrently. */
export function createKeyedMutex(): <T>(key: string | number, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string | number, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key);
    const run = (async () => {
      await before?.catch(() => undefined);
      return work();
    })();
    last.set(key, run);
    try {
      return await run;
    } finally {
      if (last.get(key) === run) last.delete(key);
    }
  };
}
