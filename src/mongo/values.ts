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
    delete: (name: string, environment: string, tag: string): Promise<void> =>
      translated(async () => {
        await collection.deleteOne({ _id: idOf(name, environment, tag) }, systemCommandOptions);
      }),
  };
}

export type Values = ReturnType<typeof openValues>;
