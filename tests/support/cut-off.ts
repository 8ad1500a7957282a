import { AggregationCursor, MongoNetworkError, type Collection, type Db } from 'mongodb';

export type Method = 'insertOne' | 'insertMany' | 'updateOne' | 'deleteOne' | 'bulkWrite' | 'aggregate';

/** The database, with a connection that is cut off once when a collection is written: before that is done, or after. */
export function cutOff(db: Db, when: 'before' | 'after', method: Method, cutName = 'articles'): Db {
  let left = 1;
  const cut = (collection: Collection): Collection =>
    new Proxy(collection, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (name !== method || left === 0) return typeof value === 'function' ? value.bind(target) : value;
        const send = async (args: readonly unknown[]): Promise<never> => {
          left -= 1;
          if (when === 'after') {
            const sent: unknown = await Reflect.apply(value as () => unknown, target, args);
            if (sent instanceof AggregationCursor) await sent.toArray();
          }
          throw new MongoNetworkError('cut off');
        };
        return (...args: unknown[]) => (name === 'aggregate' ? { toArray: () => send(args) } : send(args));
      },
    });
  return new Proxy(db, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (name !== 'collection') return typeof value === 'function' ? value.bind(target) : value;
      return (collection: string) =>
        collection === cutName ? cut(target.collection(collection)) : target.collection(collection);
    },
  });
}
