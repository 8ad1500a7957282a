import { MongoNetworkError, type Collection, type Db } from 'mongodb';

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

/** The database as one process sees it: each command is held. A process is dead as soon as none of its commands is released any more. */
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
  const scheduled = (collection: Collection): Collection =>
    new Proxy(collection, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        const title = `${String(name)} ${target.collectionName}`;
        const call = (args: readonly unknown[]): unknown => Reflect.apply(value, target, args);
        if (name !== 'find' && name !== 'aggregate')
          return (...args: unknown[]) => hold(`${title} ${shortened(args)}`, async () => call(args));
        return (...args: unknown[]) => ({
          toArray: () =>
            hold(`${title} ${shortened(args)}`, async () => (call(args) as { toArray(): unknown }).toArray()),
        });
      },
    });
  return {
    held,
    hold,
    db: new Proxy(db, {
      get: (target, name) => {
        if (name === 'collection')
          return (collection: string, options: object) => scheduled(target.collection(collection, options));
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    }),
  };
}

const shortened = (args: readonly unknown[]): string => JSON.stringify(args.slice(0, 2)).slice(0, 200);
