import type { ServerResponse } from 'node:http';
import { AppError } from '../../errors/app-error.js';

interface AdmissionLimits {
  readonly concurrency: number;
  readonly queueLimit: number;
  readonly queueTimeoutMs: number;
}

/** Limits concurrent and queued requests, so that the database is not overloaded. */
export function createAdmission({ concurrency, queueLimit, queueTimeoutMs }: AdmissionLimits) {
  const queue = new Set<() => void>();
  const admitted = new WeakSet<ServerResponse>();
  let running = 0;

  /** Returns whether the request got a slot; otherwise its client has disconnected. */
  const wait = (response: ServerResponse): Promise<boolean> =>
    new Promise((resolve) => {
      const end = (admitted: boolean): void => {
        queue.delete(admit);
        clearTimeout(timer);
        response.off('close', leave);
        resolve(admitted);
      };
      const admit = (): void => end(true);
      const leave = (): void => end(false);
      const timer = setTimeout(leave, queueTimeoutMs);
      response.once('close', leave);
      queue.add(admit);
    });

  const enter = async (response: ServerResponse): Promise<void> => {
    if (queue.size >= queueLimit || !(await wait(response))) throw new AppError('overloaded');
  };

  /** The next request takes over the slot, which is never free in between. */
  const leave = (): void => {
    const [next] = queue;
    if (next === undefined) running -= 1;
    else next();
  };

  return {
    /** Whether the queue is full: new requests are refused before any work. */
    get full() {
      return running >= concurrency && queue.size >= queueLimit;
    },
    get running() {
      return running;
    },
    get waiting() {
      return queue.size;
    },
    /**
     * Runs the task of a request when a slot is free; the task can run others of the same request in this slot. A client that disconnects
     * while queued leaves the queue.
     * @throws AppError overloaded if the queue is full, or the queue timeout is exceeded
     */
    run: async <T>(response: ServerResponse, work: () => Promise<T>): Promise<T> => {
      if (admitted.has(response)) return work();
      if (running < concurrency) running += 1;
      else await enter(response);
      admitted.add(response);
      try {
        return await work();
      } finally {
        admitted.delete(response);
        leave();
      }
    },
  };
}

export type Admission = ReturnType<typeof createAdmission>;
