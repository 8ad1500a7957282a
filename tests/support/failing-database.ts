import { MongoNetworkError, MongoServerError, type Db } from 'mongodb';
import { interceptCommands } from './intercept-commands.js';

/** How a command fails: the server refuses it, or the connection is lost before it is executed or before its reply. */
export const failures = ['refused', 'lost', 'without a reply'] as const;

export interface FailingDatabase {
  readonly db: Db;
  /** Makes one command on a collection fail: the one after so many others from now on. */
  readonly failAfter: (commands: number) => void;
  readonly hasFailed: () => boolean;
}

export function failingDatabase(db: Db, failure: (typeof failures)[number]): FailingDatabase {
  let left = Number.POSITIVE_INFINITY;
  const run = async (send: () => Promise<unknown>): Promise<unknown> => {
    left -= 1;
    if (left !== -1) return send();
    // "Unauthorized": no code that has a meaning to a write.
    if (failure === 'refused') throw new MongoServerError({ message: 'refused', code: 13 });
    if (failure === 'without a reply') await send();
    throw new MongoNetworkError('lost');
  };
  return {
    db: interceptCommands(db, run),
    failAfter: (commands) => (left = commands),
    hasFailed: () => left < 0,
  };
}
