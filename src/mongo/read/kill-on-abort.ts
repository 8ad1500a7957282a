import { setTimeout as wait } from 'node:timers/promises';
import type { Db, Document } from 'mongodb';
import { AppError } from '../../errors/app-error.js';

/** Marks a command, so that it can be found among those that run. */
export interface Mark {
  readonly comment?: number;
}

/** Milliseconds: most reads end before that, and are not worth a command; then the waits double. */
const DELAY_MS = 100;

/** Milliseconds that it may take to find a command, and to kill it. */
const TIMEOUT_MS = 5000;

/**
 * Runs a read, and has the database kill it when the signal is aborted. Otherwise it costs a number in the command.
 * @throws AppError outOfTime if the signal is aborted already
 */
export async function killOnAbort<T>(
  db: Db,
  signal: AbortSignal | undefined,
  read: (mark: Mark) => Promise<T>,
): Promise<T> {
  if (signal === undefined) return read({});
  if (signal.aborted) throw new AppError('outOfTime');
  const comment = Math.random();
  let running = true;
  const kill = (): void => void killCommand(db, comment, () => running).catch(() => undefined);
  signal.addEventListener('abort', kill, { once: true });
  try {
    return await read({ comment });
  } finally {
    running = false;
    signal.removeEventListener('abort', kill);
  }
}

/** Kills a command while it runs: at first it may still wait for a connection. */
async function killCommand(db: Db, comment: number, isRunning: () => boolean): Promise<void> {
  const admin = db.admin();
  const pipeline = [{ $currentOp: {} }, { $match: { 'command.comment': comment } }, { $project: { opid: 1 } }];
  for (let delay = DELAY_MS; isRunning(); delay *= 2) {
    await wait(delay, undefined, { ref: false });
    if (!isRunning()) return;
    const found = await admin.command({ aggregate: 1, pipeline, cursor: {}, maxTimeMS: TIMEOUT_MS });
    for (const { opid } of found['cursor'].firstBatch as Document[]) {
      await admin.command({ killOp: 1, op: opid as unknown, maxTimeMS: TIMEOUT_MS });
    }
  }
}
