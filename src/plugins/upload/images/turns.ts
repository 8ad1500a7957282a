/**
 * Runs work of many callers, some of it at a time. Callers who wait have one turn after the other, so that nobody waits
 * for all that another one has sent.
 */
export function createTurns(atOnce: number) {
  /** The work of each caller that waits, in the order of their next turns. */
  const waiting = new Map<string, readonly (() => void)[]>();
  let running = 0;

  const wait = (caller: string): Promise<void> =>
    new Promise((begin) => {
      waiting.set(caller, [...(waiting.get(caller) ?? []), begin]);
    });

  /** The next work takes over the place, which is never free in between. */
  const passOn = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      running -= 1;
      return;
    }
    const [caller, [begin, ...others]] = next;
    waiting.delete(caller);
    if (others.length > 0) waiting.set(caller, others);
    begin?.();
  };

  return {
    run: async <T>(caller: string, work: () => Promise<T>): Promise<T> => {
      if (running < atOnce) running += 1;
      else await wait(caller);
      try {
        return await work();
      } finally {
        passOn();
      }
    },
    get running() {
      return running;
    },
  };
}
