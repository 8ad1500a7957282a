import cluster, { type Worker } from 'node:cluster';
import { setTimeout as wait } from 'node:timers/promises';

/** A worker reports that it accepts no more connections; all are notified when the last one has. */
interface Message {
  readonly kind: 'deaf' | 'allDeaf';
}

/** Milliseconds that a worker waits for the others; one that hangs must not block it. */
const TIMEOUT_MS = 2000;

/** A worker that just exited receives nothing. */
const lost = (): void => undefined;

/**
 * In the primary process: notifies all workers when none accepts connections any more. Before that a client that
 * received `Connection: close` would open one to another worker that is about to stop.
 */
export function relayDeafness(workers: () => readonly Worker[]): void {
  const deaf = new Set<number>();
  const announceIfAllClosed = (): void => {
    if (deaf.size === 0 || workers().some(({ id }) => !deaf.has(id))) return;
    const message: Message = { kind: 'allDeaf' };
    for (const worker of workers()) worker.send(message, lost);
  };
  cluster.on('message', ({ id }, { kind }: Message) => {
    if (kind !== 'deaf') return;
    deaf.add(id);
    announceIfAllClosed();
  });
  cluster.on('exit', announceIfAllClosed);
}

/** In a worker that accepts no more connections: resolves when no worker does. */
export async function waitUntilAllDeaf(): Promise<void> {
  const announced = new Promise<void>((resolve) => {
    process.on('message', ({ kind }: Message) => {
      if (kind === 'allDeaf') resolve();
    });
  });
  const message: Message = { kind: 'deaf' };
  process.send?.(message, undefined, undefined, lost);
  await Promise.race([announced, wait(TIMEOUT_MS, undefined, { ref: false })]);
}
