import type { Db } from 'mongodb';
import { interceptCommands } from './intercept-commands.js';

/** How often a process that waits for another one asks the same: more often than one that goes on. */
const MOST_REPEATED = 4;

/**
 * Runs two processes on a database, of which the first is held after so many commands. Meanwhile the second does all
 * that it can: it ends, or waits for what the first has locked. Every order of two processes in which one of them is
 * interrupted once is such a run.
 * @returns the results, and whether the first was held at all
 */
export async function runPreempted<T>(
  db: Db,
  commands: number,
  [first, second]: readonly [(db: Db) => Promise<T>, (db: Db) => Promise<T>],
): Promise<{ readonly results: readonly [T, T]; readonly isHeld: boolean }> {
  const [held, released] = [openLatch(), openLatch()];
  let sent = 0;
  const holding = interceptCommands(db, async (send) => {
    sent += 1;
    if (sent > commands) {
      held.open();
      await released.opened;
    }
    return send();
  });
  const asked = new Map<string, number>();
  const waiting = interceptCommands(db, async (send, ...command) => {
    const text = JSON.stringify(command);
    const times = (asked.get(text) ?? 0) + 1;
    asked.set(text, times);
    if (times > MOST_REPEATED) released.open();
    return send();
  });
  const firstResult = first(holding).finally(held.open);
  await held.opened;
  const secondResult = second(waiting).finally(released.open);
  const results = await Promise.all([firstResult, secondResult]);
  return { results, isHeld: sent > commands };
}

function openLatch(): { readonly open: () => void; readonly opened: Promise<void> } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}
