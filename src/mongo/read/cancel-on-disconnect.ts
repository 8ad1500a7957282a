import { setTimeout as wait } from 'node:timers/promises';
import type { Db, Document } from 'mongodb';
import { AppError } from '../../errors/app-error.js';

/** Who waits for an answer, and may go away: what an HTTP server answers with is one. */
export interface Receiver {
  /** Has gone, or has the answer. */
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

/** What a command is marked with, to be found among those that run. */
export interface Mark {
  readonly comment?: number;
}

/** Milliseconds: most reads end before that by themselves, and are not worth a command; then the waits double. */
const PAUSE = 100;

/**
 * Runs a read, and has the database end it when nobody waits for it any longer. Who stays pays a number in the command.
 * @throws AppError outOfTime, which nobody is there to read
 */
export async function cancelOnDisconnect<T>(
  db: Db,
  recipient: Receiver | undefined,
  read: (mark: Mark) => Promise<T>,
): Promise<T> {
  if (recipient === undefined) return read({});
  if (recipient.destroyed) throw new AppError('outOfTime');
  const comment = Math.random();
  let running = true;
  const end = (): void => void endCommand(db, comment, () => running).catch(() => undefined);
  recipient.once('close', end);
  try {
    return await read({ comment });
  } finally {
    running = false;
    recipient.off('close', end);
  }
}

/** Ends a command while it runs: it may still wait for a connection when it is first looked for. */
async function endCommand(db: Db, comment: number, isRunning: () => boolean): Promise<void> {
  const admin = db.admin();
  const pipeline = [{ $currentOp: {} }, { $match: { 'command.comment': comment } }, { $project: { opid: 1 } }];
  for (let pause = PAUSE; isRunning(); pause *= 2) {
    await wait(pause, undefined, { ref: false });
    if (!isRunning()) return;
    const found = await admin.command({ aggregate: 1, pipeline, cursor: {}, maxTimeMS: KILL });
    for (const { opid } of found['cursor'].firstBatch as Document[]) {
      await admin.command({ killOp: 1, op: opid as unknown, maxTimeMS: KILL });
    }
  }
}

/** Milliseconds to find a command, and to end it. */
const KILL = 5000;
