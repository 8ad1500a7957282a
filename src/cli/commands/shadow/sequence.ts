import pLimit from 'p-limit';

/**
 * Runs work in the order in which it was added: reads together, each write alone.
 * @param concurrency the number of reads at once
 */
export function createSequence(concurrency: number) {
  const limit = pLimit(concurrency);
  let lastWrite = Promise.resolve();
  let all = lastWrite;
  return {
    add: (kind: 'read' | 'write', run: () => Promise<void>): void => {
      const done = (kind === 'write' ? all.then(run) : lastWrite.then(() => limit(run))).catch(() => undefined);
      if (kind === 'write') lastWrite = done;
      // Without the results, each of which would hold all before it.
      all = Promise.all([all, done]).then(() => undefined);
    },
    /** Resolves once nothing waits or runs. */
    settled: async (): Promise<void> => {
      for (let seen; seen !== all;) {
        seen = all;
        await seen;
      }
    },
  };
}
