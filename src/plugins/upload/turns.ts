/** Runs work, so many at once; the others wait for their turn, in order. */
export function takeTurns(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < atOnce) running += 1;
    else {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

/** Runs work on the same thing one after the other, and work on others at once. */
export function takeTurnsBy(): <T>(key: string | number, work: () => Promise<T>) => Promise<T> {
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
