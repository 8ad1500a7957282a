import type { Db } from 'mongodb';
import { systemCommandOptions } from '../read/system-command-options.js';
import { translated } from '../errors.js';

/** What an import keeps in the database beside the entries. */
export interface Workspace {
  /** The number of each thing of a type that has another kind of id where it comes from: the same at every import. */
  numbers(type: string, keys: readonly string[]): Promise<readonly number[]>;
  /** Puts things aside until they are wanted, by their keys. */
  shelve(things: ReadonlyMap<string, Readonly<Record<string, unknown>>>): Promise<void>;
  take(keys: readonly string[]): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>>;
  /** Ends the import; the numbers are kept. */
  close(): Promise<void>;
}

interface Numbered {
  readonly _id: string;
  readonly type: string;
  readonly number: number;
}

interface Shelved {
  readonly _id: string;
  readonly thing: Readonly<Record<string, unknown>>;
}

export async function openWorkspace(db: Db): Promise<Workspace> {
  const numbered = db.collection<Numbered>('_import_ids');
  const shelf = db.collection<Shelved>('_import_shelf');
  const last = new Map<string, number>();
  const lastOf = async (type: string): Promise<number> => {
    const known = last.get(type);
    if (known !== undefined) return known;
    await numbered.createIndex({ type: 1, number: -1 });
    return (await numbered.findOne({ type }, { ...systemCommandOptions, sort: { number: -1 } }))?.number ?? 0;
  };
  return {
    numbers: (type, keys) =>
      translated(async () => {
        const wanted = [...new Set(keys)];
        if (wanted.length === 0) return [];
        const found = await numbered
          .find({ _id: { $in: wanted.map((key) => `${type} ${key}`) } }, systemCommandOptions)
          .toArray();
        const known = new Map(found.map(({ _id, number }) => [_id, number]));
        let next = await lastOf(type);
        const rows = wanted.flatMap((key): Numbered[] => {
          const _id = `${type} ${key}`;
          if (known.has(_id)) return [];
          next += 1;
          known.set(_id, next);
          return [{ _id, type, number: next }];
        });
        last.set(type, next);
        if (rows.length > 0) await numbered.insertMany(rows, systemCommandOptions);
        return keys.map((key) => known.get(`${type} ${key}`) ?? 0);
      }),
    shelve: (things) =>
      translated(async () => {
        if (things.size === 0) return;
        await shelf.bulkWrite(
          [...things].map(([_id, thing]) => ({
            replaceOne: { filter: { _id }, replacement: { thing }, upsert: true },
          })),
          { ...systemCommandOptions, ordered: false },
        );
      }),
    take: (keys) =>
      translated(async () => {
        const found =
          keys.length === 0 ? [] : await shelf.find({ _id: { $in: [...keys] } }, systemCommandOptions).toArray();
        return new Map(found.map(({ _id, thing }) => [_id, thing]));
      }),
    close: async () => {
      await translated(() => shelf.drop(systemCommandOptions));
    },
  };
}
