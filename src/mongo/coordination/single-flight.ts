/** Runs a read, or waits for one with the same key that is running. */
export type SingleFlight<T> = (key: string, read: () => Promise<T>) => Promise<T>;

/** If a read fails, those who wait for it read for themselves: its client may have gone away, and the read with it. */
export function createSingleFlight<T>(): SingleFlight<T> {
  const reads = new Map<string, Promise<T>>();
  return async (key, read) => {
    const running = reads.get(key);
    if (running !== undefined) return running.catch(read);
    const own = read();
    reads.set(key, own);
    try {
      return await own;
    } finally {
      reads.delete(key);
    }
  };
}
