import type { Db } from 'mongodb';
import { systemCommandOptions } from './read/time-limits.js';
import { translated } from './errors.js';

interface StoredValue {
  readonly _id: string;
  /** Stored as JSON, to preserve any value and keys exactly. */
  readonly value: string;
}

const idOf = (name: string, environment: string, tag: string): string => JSON.stringify([name, environment, tag]);

/** Named values of code that stores settings in the database, in the `_values` collection. */
export function openValues(db: Db) {
  const collection = db.collection<StoredValue>('_values');
  return {
    /** Undefined when there is none. */
    get: (name: string, environment: string, tag: string): Promise<unknown> =>
      translated(async () => {
        const stored = await collection.findOne({ _id: idOf(name, environment, tag) }, systemCommandOptions);
        return stored === null ? undefined : (JSON.parse(stored.value) as unknown);
      }),
    set: (name: string, environment: string, tag: string, value: unknown): Promise<void> =>
      translated(async () => {
        const _id = idOf(name, environment, tag);
        const json = JSON.stringify(value ?? null);
        await collection.replaceOne({ _id }, { value: json }, { upsert: true, ...systemCommandOptions });
      }),
    /** Those of the tags with which there are values of this name. */
    tagsOf: (name: string, tags: readonly string[]): Promise<ReadonlySet<string>> =>
      translated(async () => {
        const ids = new Map(tags.map((tag) => [idOf(name, '', tag), tag]));
        const filter = { _id: { $in: [...ids.keys()] } };
        const found = await collection.find(filter, { ...systemCommandOptions, projection: { _id: 1 } }).toArray();
        return new Set(found.map(({ _id }) => ids.get(_id) as string));
      }),
    delete: (name: string, environment: string, tag: string): Promise<void> =>
      translated(async () => {
        await collection.deleteOne({ _id: idOf(name, environment, tag) }, systemCommandOptions);
      }),
  };
}

export type Values = ReturnType<typeof openValues>;
