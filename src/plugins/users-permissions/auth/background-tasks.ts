import type { Logger } from '../../../errors/logger.js';
import { reasonOf } from '../../../errors/reason-of.js';

export function createBackgroundTasks(log: Logger) {
  const running = new Set<Promise<void>>();
  return {
    run: (description: string, work: () => Promise<void>): void => {
      const task = work()
        .catch((error: unknown) => log.error(`${description} failed: ${reasonOf(error)}`))
        .finally(() => running.delete(task));
      running.add(task);
    },
    /** Waits for all running tasks. */
    finish: async (): Promise<void> => {
      await Promise.all(running);
    },
  };
}
