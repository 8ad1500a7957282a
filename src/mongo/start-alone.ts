import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from './database.js';
import { ownCommand } from './own-command.js';
import { duplicateOf, translated } from './translate-error.js';

interface Start {
  readonly _id: 'start';
  readonly by: string;
  readonly at: Date;
}

/** Milliseconds: who starts says so again and again; who has not for so long has died. */
const times = { again: 5000, dead: 30_000, pause: 100 };

/**
 * Does what a start puts into the database while no other process does so: several may start at once on an empty one.
 * @throws AppError unavailable, and what the work throws
 */
export async function startAlone<T>({ db, owned }: Database, work: () => Promise<T>): Promise<T> {
  if (owned) return work();
  const claims = db.collection<Start>('_claims');
  const mine = { _id: 'start', by: randomUUID() } as const;
  const take = async (): Promise<boolean> => {
    try {
      await claims.insertOne({ ...mine, at: new Date() }, ownCommand);
      return true;
    } catch (error) {
      if (duplicateOf(error) === undefined) throw error;
      await claims.deleteOne({ _id: 'start', at: { $lt: new Date(Date.now() - times.dead) } }, ownCommand);
      return false;
    }
  };
  while (!(await translated(take))) await wait(times.pause);
  const renewing = setInterval(() => {
    claims.updateOne(mine, { $set: { at: new Date() } }, ownCommand).catch(() => undefined);
  }, times.again);
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    await translated(() => claims.deleteOne(mine, ownCommand));
  }
}
