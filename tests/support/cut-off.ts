import { AggregationCursor, MongoNetworkError, type Collection, type Db } from 'mongodb';

export type Method = 'insertOne' | 'insertMany' | 'updateOne' | 'updateMany' | 'deleteOne' | 'bulkWrite' | 'aggregate';

/** Sends the command as the driver would. */
type Send = () => Promise<unknown>;

/** The database, with a connection that is cut off once when a collection is written: before that is done, or after. */
export const cutOff = (db: Db, when: 'before' | 'after', method: Method, name = 'articles'): Db =>
  interceptOnce(db, method, name, async (send) => {
    if (when === 'after') await send();
    throw new MongoNetworkError('cut off');
  });

/** The database, where the first call of a method on a collection is handed over. */
function interceptOnce(db: Db, method: Method, collectionName: string, handle: (send: Send) => Promise<unknown>): Db {
  let left = 1;
  const intercepted = (collection: Collection): Collection =>
    new Proxy(collection, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (name !== method || left === 0) return typeof value === 'function' ? value.bind(target) : value;
        const call = (args: readonly unknown[]): Promise<unknown> => {
          left -= 1;
          return handle(async () => {
            const sent: unknown = await Reflect.apply(value as () => unknown, target, args);
            return sent instanceof AggregationCursor ? sent.toArray() : sent;
          });
        };
        return (...args: unknown[]) => (name === 'aggregate' ? { toArray: () => call(args) } : call(args));
      },
    });
  return new Proxy(db, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (name !== 'collection') return typeof value === 'function' ? value.bind(target) : value;
      return (collection: string) =>
        collection === collectionName ? intercepted(target.collection(collection)) : target.collection(collection);
    },
  });
}
