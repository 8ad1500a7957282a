import cluster, { type Worker } from 'node:cluster';
import { setTimeout as wait } from 'node:timers/promises';

/** A worker reports that it has stopped listening; all are notified when the last one has. */
interface Message {
  readonly kind: 'stoppedListening' | 'allStopped';
}

/** Milliseconds that a worker waits for the others; one that hangs must not block it. */
const TIMEOUT_MS = 2000;

/** A worker that just exited receives nothing. */
const lost = (): void => undefined;

/**
 * In the primary process: notifies all workers when none listens any more. Before that a client that received
 * `Connection: close` would open a connection to another worker that is about to stop.
 */
export function announceWhenAllStopped(workers: () => readonly Worker[]): void {
  const stopped = new Set<number>();
  const announce = (): void => {
    if (stopped.size === 0 || workers().some(({ id }) => !stopped.has(id))) return;
    const message: Message = { kind: 'allStopped' };
    for (const worker of workers()) worker.send(message, lost);
  };
  cluster.on('message', ({ id }, { kind }: Message) => {
    if (kind !== 'stoppedListening') return;
    stopped.add(id);
    announce();
  });
  cluster.on('exit', announce);
}

/** In a worker that has stopped listening: resolves when all have. */
export async function waitUntilAllStopped(): Promise<void> {
  const announced = new Promise<void>((resolve) => {
    process.on('message', ({ kind }: Message) => {
      if (kind === 'allStopped') resolve();
    });
  });
  const message: Message = { kind: 'stoppedListening' };
  process.send?.(message, undefined, undefined, lost);
  await Promise.race([announced, wait(TIMEOUT_MS, undefined, { ref: false })]);
}
