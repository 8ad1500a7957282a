/**
 * Runs work in the order in which it was added: reads together, each write alone.
 * @param concurrency the number of reads at once
 */
export function createSequence(concurrency: number) {
  const waiting: { readonly kind: 'read' | 'write'; readonly run: () => Promise<void> }[] = [];
  let [running, isWriting] = [0, false];
  let listeners: (() => void)[] = [];
  const finish = (): void => {
    running -= 1;
    isWriting = false;
    startNext();
    if (running === 0) for (const resolve of listeners.splice(0)) resolve();
  };
  function startNext(): void {
    for (let next = waiting[0]; next !== undefined && !isWriting; next = waiting[0]) {
      if (next.kind === 'write' ? running > 0 : running >= concurrency) return;
      waiting.shift();
      running += 1;
      isWriting = next.kind === 'write';
      void next.run().then(finish, finish);
    }
  }
  return {
    add: (kind: 'read' | 'write', run: () => Promise<void>): void => {
      waiting.push({ kind, run });
      startNext();
    },
    /** Resolves once nothing waits or runs. */
    settled: (): Promise<void> =>
      running === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            listeners = [...listeners, resolve];
          }),
  };
}
