import type { ServerResponse } from 'node:http';
import { AppError } from '../../errors/app-error.js';

/** Lets so many requests work at once, and so many wait, so that the database never has more to do than it can. */
export interface Admission {
  /** No more may wait: what comes now is refused before anything is done for it. */
  readonly full: boolean;
  readonly running: number;
  readonly waiting: number;
  /**
   * Does the work of a request when it is its turn. Who goes away while waiting leaves the queue.
   * @throws AppError overloaded when too many wait, or for too long
   */
  run<T>(response: ServerResponse, work: () => Promise<T>): Promise<T>;
}

export interface AdmissionLimits {
  readonly concurrency: number;
  readonly queueLimit: number;
  /** Milliseconds. */
  readonly queueTimeoutMs: number;
}

export function createAdmission({ concurrency, queueLimit, queueTimeoutMs }: AdmissionLimits): Admission {
  const queue = new Set<() => void>();
  let running = 0;

  /** Returns whether it is the request's turn; else it has left. */
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

  /** Whose turn is next takes the place, which so is never free in between. */
  const leave = (): void => {
    const [next] = queue;
    if (next === undefined) running -= 1;
    else next();
  };

  return {
    get full() {
      return running >= concurrency && queue.size >= queueLimit;
    },
    get running() {
      return running;
    },
    get waiting() {
      return queue.size;
    },
    run: async (response, work) => {
      if (running < concurrency) running += 1;
      else await enter(response);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
