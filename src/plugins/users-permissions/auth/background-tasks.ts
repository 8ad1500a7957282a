import type { Logger } from '../../../errors/logger.js';
import { reasonOf } from '../../../errors/reason-of.js';

export interface Background {
  run(description: string, work: () => Promise<void>): void;
  /** Waits for all running tasks. */
  finish(): Promise<void>;
}

export function createBackgroundTasks(log: Logger): Background {
  const running = new Set<Promise<void>>();
  return {
    run: (description, work) => {
      const task = work()
        .catch((error: unknown) => log.error(`${description} failed: ${reasonOf(error)}`))
        .finally(() => running.delete(task));
      running.add(task);
    },
    finish: async () => {
      await Promise.all(running);
    },
  };
}
