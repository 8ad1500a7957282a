import type { Collection, Db } from 'mongodb';

/** Runs a command on a collection, which `send` sends as the driver would. */
export type RunCommand = (
  send: () => Promise<unknown>,
  name: string,
  collection: string,
  args: readonly unknown[],
) => Promise<unknown>;

/** The database, where `run` runs all commands on collections. Of a cursor there is only `toArray`. */
export function interceptCommands(db: Db, run: RunCommand): Db {
  const intercepted = (collection: Collection): Collection =>
    new Proxy(collection, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          const call = (): unknown => Reflect.apply(value, target, args);
          const runOf = (send: () => unknown): Promise<unknown> =>
            run(async () => send(), String(name), target.collectionName, args);
          if (name !== 'find' && name !== 'aggregate') return runOf(call);
          return { toArray: () => runOf(() => (call() as { toArray(): unknown }).toArray()) };
        };
      },
    });
  return new Proxy(db, {
    get: (target, name) => {
      if (name === 'collection')
        return (collection: string, options: object) => intercepted(target.collection(collection, options));
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
