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
