import type { Db } from 'mongodb';
import { systemCommandOptions } from '../read/time-limits.js';
import { translated } from '../errors.js';

interface Numbered {
  readonly _id: string;
  readonly type: string;
  readonly number: number;
}

interface Shelved {
  readonly _id: string;
  readonly thing: Readonly<Record<string, unknown>>;
}

/** The working data of an import. What an interrupted one has shelved is removed: the source may have changed since. */
export async function openWorkspace(db: Db) {
  const numbered = db.collection<Numbered>('_import_ids');
  const shelf = db.collection<Shelved>('_import_shelf');
  await translated(() => shelf.drop(systemCommandOptions));
  const last = new Map<string, number>();
  const lastOf = async (type: string): Promise<number> => {
    const current = last.get(type);
    if (current !== undefined) return current;
    await numbered.createIndex({ type: 1, number: -1 });
    return (await numbered.findOne({ type }, { ...systemCommandOptions, sort: { number: -1 } }))?.number ?? 0;
  };
  return {
    /** A numeric id for an entry of a type with another id in the source; the same in every import. */
    number: (type: string, key: string): Promise<number> =>
      translated(async () => {
        const _id = `${type} ${key}`;
        const existing = await numbered.findOne({ _id }, systemCommandOptions);
        if (existing !== null) return existing.number;
        const number = (await lastOf(type)) + 1;
        last.set(type, number);
        await numbered.insertOne({ _id, type, number }, systemCommandOptions);
        return number;
      }),
    /** Stores values by key until they are read. */
    shelve: (values: ReadonlyMap<string, Readonly<Record<string, unknown>>>): Promise<void> =>
      translated(async () => {
        if (values.size === 0) return;
        await shelf.bulkWrite(
          [...values].map(([_id, value]) => ({
            replaceOne: { filter: { _id }, replacement: { thing: value }, upsert: true },
          })),
          { ...systemCommandOptions, ordered: false },
        );
      }),
    take: (keys: readonly string[]): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> =>
      translated(async () => {
        const shelved =
          keys.length === 0 ? [] : await shelf.find({ _id: { $in: [...keys] } }, systemCommandOptions).toArray();
        return new Map(shelved.map(({ _id, thing }) => [_id, thing]));
      }),
    /** Ends the import; the numeric ids stay stored. */
    close: async (): Promise<void> => {
      await translated(() => shelf.drop(systemCommandOptions));
    },
  };
}

export type Workspace = Awaited<ReturnType<typeof openWorkspace>>;
