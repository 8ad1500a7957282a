import type { Intent } from './intents.js';

/** Writes of this process that an error interrupted. They must be finished before others, or they would undo them. */
export interface Unfinished {
  add(intent: Intent): void;
  /** Waits until there are none. @throws what keeps them from being finished */
  settle(): Promise<void>;
}

export function rememberUnfinished(finish: (intent: Intent) => Promise<void>): Unfinished {
  const left = new Map<string, Intent>();
  let settling: Promise<void> | undefined;
  const settleAll = async (): Promise<void> => {
    for (const intent of left.values()) {
      await finish(intent);
      left.delete(intent.id);
    }
  };
  return {
    add: (intent) => void left.set(intent.id, intent),
    settle: async () => {
      if (left.size === 0) return;
      settling ??= settleAll().finally(() => {
        settling = undefined;
      });
      await settling;
    },
  };
}
