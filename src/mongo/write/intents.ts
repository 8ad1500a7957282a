import { randomUUID } from 'node:crypto';
import type { Db, Filter } from 'mongodb';
import type { Registry } from '../../content-types/model/types.js';
import type { Write } from '../../query/mutation.js';
import { decodeWrite, encodeWrite } from './intent-format.js';
import { systemCommandOptions } from '../read/system-command-options.js';

/** Writes to several documents that were begun: kept until all of them are done, so that another process can finish. */
export interface Intent {
  readonly id: string;
  readonly writes: readonly Write[];
}

/** An intent that its writer left behind, as it was found. */
export interface LeftIntent extends Intent {
  /** All writes were done once. */
  readonly settled: boolean;
  /** Its first write was looked for before, and was not done. */
  readonly looked: boolean;
  readonly tries: number;
  /** The last sign of life of whoever works on it. */
  readonly at: Date;
}

/** Each record belongs to one process at a time, which says again and again that it lives: a lease. */
export interface Intents {
  /** Records the writes before the first of them is done. */
  record(intent: Intent): Promise<void>;
  remove(id: string): Promise<void>;
  /** Notes that all writes are done, and keeps the record until it is old. */
  settle(id: string): Promise<void>;
  /** Notes that the database refuses a write; it is tried again, each time after a longer while. */
  fail(id: string, error: unknown): Promise<void>;
  /** Notes that the first write was not done, and leaves the rest to a later look: it may still be on its way. */
  postpone(id: string): Promise<void>;
  /** Is the record still this process's own? Costs a command only when that was not confirmed for a while. */
  keep(id: string): Promise<boolean>;
  /** Takes a record that was left behind; false when another process was quicker. */
  take(left: LeftIntent): Promise<boolean>;
  /** Stops saying that this process works on it. */
  release(id: string): void;
  /**
   * The intents without a sign of life for so many milliseconds, oldest first, without those that this process works on.
   * Those of unknown types are left alone.
   */
  left(registry: Registry, olderThan: number): Promise<readonly LeftIntent[]>;
}

/** What is stored; `at` is the last sign of life of the process `by`. */
interface StoredIntent {
  readonly _id: string;
  readonly at: Date;
  readonly by?: string;
  readonly writes: readonly Record<string, unknown>[];
  readonly done?: true;
  readonly looked?: true;
  readonly failed?: { readonly at: Date; readonly message: string; readonly tries: number };
}

/** Milliseconds between two signs of life. */
const RENEWAL = 15_000;
/** After so many failures the wait for the next try no longer doubles: it is about an hour. */
const MOST_DOUBLINGS = 6;

/** Intents in the `_intents` collection. */
export function openIntents(db: Db, renewal = RENEWAL): Intents {
  const collection = db.collection<StoredIntent>('_intents');
  const by = randomUUID();
  /** The records that this process works on, and when it last said so. */
  const held = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  const renew = async (): Promise<void> => {
    const at = new Date();
    const ids = [...held.keys()];
    const { matchedCount } = await collection.updateMany(
      { _id: { $in: ids }, by },
      { $set: { at } },
      systemCommandOptions,
    );
    // Where some are no longer its own, each is asked for when it is needed.
    if (matchedCount === ids.length) for (const id of ids) if (held.has(id)) held.set(id, at.getTime());
  };
  const hold = (id: string, at: Date): void => {
    held.set(id, at.getTime());
    timer ??= setInterval(() => void renew().catch(() => undefined), renewal).unref();
  };
  const release = (id: string): void => {
    held.delete(id);
    if (held.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  /** Changes a record; false when it is not there as it was. */
  const change = async (filter: Filter<StoredIntent>, set: Partial<StoredIntent>): Promise<boolean> =>
    (await collection.updateOne(filter, { $set: set }, systemCommandOptions)).matchedCount > 0;
  const takeOver = async (id: string, filter: Filter<StoredIntent>): Promise<boolean> => {
    const at = new Date();
    if (!(await change({ ...filter, _id: id }, { at, by }))) return false;
    hold(id, at);
    return true;
  };

  return {
    record: async ({ id: _id, writes }) => {
      const at = new Date();
      hold(_id, at);
      try {
        await collection.insertOne({ _id, at, by, writes: writes.map(encodeWrite) }, systemCommandOptions);
      } catch (error) {
        release(_id);
        throw error;
      }
    },
    remove: async (_id) => {
      release(_id);
      await collection.deleteOne({ _id }, systemCommandOptions);
    },
    settle: async (_id) => {
      release(_id);
      await change({ _id }, { done: true });
    },
    fail: async (_id, error) => {
      release(_id);
      const at = new Date();
      const failed = { 'failed.at': at, 'failed.message': messageOf(error), at };
      await collection.updateOne({ _id }, { $set: failed, $inc: { 'failed.tries': 1 } }, systemCommandOptions);
    },
    postpone: async (_id) => {
      release(_id);
      await change({ _id, by }, { looked: true, at: new Date() });
    },
    keep: async (id) => {
      const confirmed = held.get(id);
      if (confirmed !== undefined && Date.now() - confirmed < 2 * renewal) return true;
      return takeOver(id, { by });
    },
    take: ({ id, at }) => takeOver(id, { at }),
    release,
    left: async (registry, olderThan) => {
      const now = Date.now();
      const filter = { at: { $lte: new Date(now - olderThan) }, _id: { $nin: [...held.keys()] } };
      const found = await collection.find(filter, { ...systemCommandOptions, sort: { at: 1 } }).toArray();
      return found.flatMap((stored) => {
        const tries = stored.failed?.tries ?? 0;
        const pause = tries === 0 ? 0 : olderThan * 2 ** Math.min(tries, MOST_DOUBLINGS);
        if (stored.at.getTime() + pause > now) return [];
        const writes = decodeAll(stored.writes, registry);
        if (writes === undefined) return [];
        const { _id: id, at, done: settled = false, looked = false } = stored;
        return [{ id, writes, at, settled, looked, tries }];
      });
    },
  };
}

function decodeAll(stored: StoredIntent['writes'], registry: Registry): readonly Write[] | undefined {
  const decoded = stored.map((write) => decodeWrite(write, registry));
  return decoded.every((write) => write !== undefined) ? decoded : undefined;
}

/** Of an error that is noted; a long one tells the whole document. */
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 500);
