import type { Collection, Db } from 'mongodb';

/** The time limit in milliseconds for commands on internal collections, most of which touch one document by its id. */
export const systemCommandOptions = { maxTimeMS: 15_000 } as const;

/**
 * The position of the options argument per method; indexes are created and dropped without a limit, see
 * docs/reliability.md.
 */
const optionsAt = {
  find: 1,
  findOne: 1,
  insertOne: 1,
  deleteOne: 1,
  deleteMany: 1,
  findOneAndUpdate: 2,
  listIndexes: 0,
  aggregate: 1,
} as const satisfies Partial<Record<keyof Collection, number>>;

/** A database with a time limit for each command: for libraries without such an option. */
export const withMaxTimeMS = (db: Db, maxTimeMS: number): Db =>
  new Proxy(db, {
    get: (target, name) =>
      name === 'collection'
        ? (collection: string) => limitCollection(target.collection(collection), maxTimeMS)
        : (Reflect.get(target, name) as unknown),
  });

const limitCollection = (collection: Collection, maxTimeMS: number): Collection =>
  new Proxy(collection, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      const index = (optionsAt as Partial<Record<PropertyKey, number>>)[name];
      if (index === undefined) return member.bind(target) as unknown;
      return (...args: unknown[]): unknown => {
        const commandArgs = Array.from({ length: index + 1 }, (_, at) => args[at]);
        commandArgs[index] = { ...(args[index] as object | undefined), maxTimeMS };
        return Reflect.apply(member, target, commandArgs);
      };
    },
  });
