/** Limits the number of concurrent tasks; the others wait in order. */
export function createSemaphore(limit: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    run: async <T>(work: () => Promise<T>): Promise<T> => {
      if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
      else running += 1;
      try {
        return await work();
      } finally {
        // The next call takes over the slot.
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
