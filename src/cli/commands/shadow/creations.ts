/**
 * The order of creations. Two that overlap can be answered in another order than that of their ids; mirrored in that
 * order, the ids would be swapped on the other side. So a creation waits for those that began before, and the lowest id
 * goes first.
 */
export function createCreations<T>() {
  const running = new Map<string, Set<Promise<void>>>();
  const answered = new Map<string, { readonly id: number; readonly creation: T }[]>();
  return {
    /** A creation begins. Returns the function that ends it. */
    begin: (path: string): (() => void) => {
      let resolve = (): void => undefined;
      const promise = new Promise<void>((ended) => {
        resolve = ended;
      });
      const others = running.get(path) ?? new Set();
      running.set(path, others.add(promise));
      return () => {
        others.delete(promise);
        if (others.size === 0) running.delete(path);
        resolve();
      };
    },
    answered: (path: string, id: number, creation: T): void => {
      answered.set(path, [...(answered.get(path) ?? []), { id, creation }]);
    },
    /** Waits for those that are under way, and takes the answered one with the lowest id. */
    next: async (path: string): Promise<T | undefined> => {
      await Promise.all(running.get(path) ?? new Set<Promise<void>>());
      const [first, ...left] = (answered.get(path) ?? []).toSorted((a, b) => a.id - b.id);
      if (left.length > 0) answered.set(path, left);
      else answered.delete(path);
      return first?.creation;
    },
  };
}
