import { MongoNetworkError, type Db } from 'mongodb';
import { interceptCommands } from './intercept-commands.js';

/** The database of a process that dies: after this many commands none is sent any more. */
export interface DyingDatabase {
  readonly db: Db;
  isDead(): boolean;
  /**
   * Waits for the commands that were on their way when it died: others recover what it has left, not what it is still
   * writing.
   */
  settled(): Promise<void>;
}

/**
 * Commands that a process sends after its death at most: later ones, which it repeats by timers, would take time from
 * other tests.
 */
const MOST_LEFT = 200;

/** @param replies whether the process still receives the reply to the last command */
export function dyingDatabase(db: Db, commands: number, replies: boolean): DyingDatabase {
  let left = commands;
  const sent = new Set<Promise<unknown>>();
  const send = async (work: () => unknown): Promise<unknown> => {
    left -= 1;
    if (left < -MOST_LEFT) return new Promise<never>(() => undefined);
    if (left < 0) throw new MongoNetworkError('dead');
    const command = Promise.resolve(work());
    sent.add(command);
    const reply = await command.finally(() => sent.delete(command));
    if (left === 0 && !replies) throw new MongoNetworkError('dead');
    return reply;
  };
  return {
    db: new Proxy(interceptCommands(db, send), {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (name === 'client') {
          const admin = target.client.db('admin');
          return { db: () => ({ command: (command: object) => send(() => admin.command(command)) }) };
        }
        if (name !== 'command') return value;
        return (...args: unknown[]) => send(() => Reflect.apply(value as () => unknown, target, args));
      },
    }),
    isDead: () => left < 0 || (left === 0 && !replies),
    settled: async () => void (await Promise.allSettled(sent)),
  };
}

/** A database whose connection is lost once: at the command after so many others. */
export interface InterruptedDatabase {
  readonly db: Db;
  /** Whether it was lost. */
  readonly isLost: () => boolean;
}

/** @param executes whether the command is executed nevertheless */
export function interruptedDatabase(db: Db, commands: number, executes: boolean): InterruptedDatabase {
  let left = commands;
  const run = async (send: () => Promise<unknown>): Promise<unknown> => {
    left -= 1;
    if (left !== -1) return send();
    if (executes) await send();
    throw new MongoNetworkError('lost');
  };
  return { db: interceptCommands(db, run), isLost: () => left < 0 };
}
