/** Runs work that is asked for, at most so much of it at a time; the rest waits in order. */
export interface DistributedLock {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** How much waits. */
  readonly waiting: number;
}

export function createSemaphore(most: number): DistributedLock {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    run: async (work) => {
      if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
      else running += 1;
      try {
        return await work();
      } finally {
        // Who waits takes over the place.
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
    get waiting() {
      return waiting.length;
    },
  };
}
