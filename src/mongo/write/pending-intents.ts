import type { Intent } from './intents.js';

/** Intents of this process that an error interrupted: it finishes them before it writes anything else. */
export interface PendingIntents {
  add(intent: Intent): void;
  /** Of one that never began, whose record may be there. */
  withdraw(id: string): void;
  /** Does what can be done about them now. @throws AppError unavailable */
  settle(): Promise<void>;
}

/** What became of an intent: another look may be needed, when its first write may still be on its way. */
export type Settle = (intent: Intent, last: boolean) => Promise<'finished' | 'postponed'>;

interface Waiting {
  readonly intent: Intent;
  /** When it was interrupted, and when it is looked at next. */
  readonly since: number;
  readonly next: number;
}

/** Milliseconds between two looks. */
const PAUSE = 1000;

/** @param patience milliseconds after which a command is no longer on its way */
export function createPendingIntents(finish: Settle, patience: number): PendingIntents {
  const left = new Map<string, Waiting>();
  let settling: Promise<void> | undefined;
  const add = (intent: Intent): void => {
    const now = Date.now();
    left.set(intent.id, { intent, since: now, next: now });
  };
  const settleAll = async (): Promise<void> => {
    for (const { intent, since, next } of left.values()) {
      const now = Date.now();
      if (next > now) continue;
      const became = await finish(intent, now - since > patience);
      if (became === 'postponed') left.set(intent.id, { intent, since, next: Date.now() + PAUSE });
      else left.delete(intent.id);
    }
  };
  return {
    add,
    withdraw: (id) => add({ id, writes: [] }),
    settle: async () => {
      if (left.size === 0) return;
      settling ??= settleAll().finally(() => {
        settling = undefined;
      });
      await settling;
    },
  };
}
