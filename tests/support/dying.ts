import { MongoNetworkError, type Collection, type Db } from 'mongodb';

/** The database of a process that dies: after this many commands none is sent any more. */
export interface DyingDatabase {
  readonly db: Db;
  isDead(): boolean;
}

/** Commands that a process sends after its death at most: later ones, which it repeats by timers, would take time from other tests. */
const MOST_LEFT = 200;

/** @param replies whether the process still receives the reply to the last command */
export function dyingDatabase(db: Db, commands: number, replies: boolean): DyingDatabase {
  let left = commands;
  const send = async (work: () => unknown): Promise<unknown> => {
    left -= 1;
    if (left < -MOST_LEFT) return new Promise<never>(() => undefined);
    if (left < 0) throw new MongoNetworkError('dead');
    const reply = await work();
    if (left === 0 && !replies) throw new MongoNetworkError('dead');
    return reply;
  };
  const dying = (collection: Collection): Collection =>
    new Proxy(collection, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        const call = (args: readonly unknown[]): unknown => Reflect.apply(value, target, args);
        if (name !== 'find' && name !== 'aggregate') return (...args: unknown[]) => send(() => call(args));
        return (...args: unknown[]) => ({
          toArray: () => send(() => (call(args) as { toArray(): unknown }).toArray()),
        });
      },
    });
  return {
    db: new Proxy(db, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (name === 'collection')
          return (collection: string, options: object) => dying(target.collection(collection, options));
        if (name === 'client') {
          const admin = target.client.db('admin');
          return { db: () => ({ command: (command: object) => send(() => admin.command(command)) }) };
        }
        if (typeof value !== 'function') return value;
        if (name === 'command')
          return (...args: unknown[]) => send(() => Reflect.apply(value, target, args) as unknown);
        return value.bind(target) as unknown;
      },
    }),
    isDead: () => left < 0 || (left === 0 && !replies),
  };
}
