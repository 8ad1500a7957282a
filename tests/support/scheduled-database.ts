import { MongoNetworkError, type Db } from 'mongodb';
import { interceptCommands } from './intercept-commands.js';

/** A command that waits until a schedule says what happens to it. */
export interface HeldCommand {
  readonly name: string;
  /** Executes it; its process receives the reply. */
  execute(): Promise<void>;
  /** Executes it, and the connection is lost before the reply. */
  loseReply(): Promise<void>;
  /** The connection is lost while the command is on its way: the result executes it, at any later time or never. */
  delay(): () => Promise<unknown>;
}

/**
 * The database as one process sees it: each command is held. A process is dead as soon as none of its commands is
 * released any more.
 */
export interface ScheduledDatabase {
  readonly db: Db;
  readonly held: ReadonlySet<HeldCommand>;
  /** Holds other work like a command. */
  hold<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export function scheduledDatabase(db: Db): ScheduledDatabase {
  const held = new Set<HeldCommand>();
  const hold = <T>(name: string, work: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const command: HeldCommand = {
        name,
        execute: async () => {
          held.delete(command);
          await work().then(resolve, reject);
        },
        loseReply: async () => {
          held.delete(command);
          await work().catch(() => undefined);
          reject(new MongoNetworkError('the reply is lost'));
        },
        delay: () => {
          held.delete(command);
          reject(new MongoNetworkError('the connection is lost'));
          return () => work().catch(() => undefined);
        },
      };
      held.add(command);
    });
  return {
    held,
    hold,
    db: interceptCommands(db, (send, name, collection, args) => hold(`${name} ${collection} ${shortened(args)}`, send)),
  };
}

const shortened = (args: readonly unknown[]): string => JSON.stringify(args.slice(0, 2)).slice(0, 200);
