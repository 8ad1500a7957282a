import type { Db } from 'mongodb';
import { systemCommandOptions } from './read/time-limits.js';
import { translated } from './errors.js';

/** Named values of code that stores settings in the database. */
export interface Values {
  /** Undefined when there is none. */
  get(name: string, environment: string, tag: string): Promise<unknown>;
  set(name: string, environment: string, tag: string, value: unknown): Promise<void>;
  delete(name: string, environment: string, tag: string): Promise<void>;
}

interface StoredValue {
  readonly _id: string;
  /** Stored as JSON, to preserve any value and keys exactly. */
  readonly value: string;
}

const idOf = (...parts: readonly string[]): string => JSON.stringify(parts);

/** Values in the `_values` collection. */
export function openValues(db: Db): Values {
  const collection = db.collection<StoredValue>('_values');
  return {
    get: (...key) =>
      translated(async () => {
        const stored = await collection.findOne({ _id: idOf(...key) }, systemCommandOptions);
        return stored === null ? undefined : (JSON.parse(stored.value) as unknown);
      }),
    set: (name, environment, tag, value) =>
      translated(async () => {
        const _id = idOf(name, environment, tag);
        const json = JSON.stringify(value ?? null);
        await collection.replaceOne({ _id }, { value: json }, { upsert: true, ...systemCommandOptions });
      }),
    delete: (...key) =>
      translated(async () => {
        await collection.deleteOne({ _id: idOf(...key) }, systemCommandOptions);
      }),
  };
}
