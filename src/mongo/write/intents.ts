import { randomUUID } from 'node:crypto';
import type { Db, Filter } from 'mongodb';
import type { Registry } from '../../content-types/model/types.js';
import type { Write } from '../../query/mutation.js';
import { decodeWrite, encodeWrite } from './intent-format.js';
import { systemCommandOptions } from '../read/time-limits.js';

/** Writes to several documents, recorded until all of them are done, so that another process can complete them. */
export interface Intent {
  readonly id: string;
  readonly writes: readonly Write[];
}

/** An abandoned intent. */
export interface LeftIntent extends Intent {
  /** All writes were done once. */
  readonly done: boolean;
  /** A previous check found that its primary write was not done. */
  readonly looked: boolean;
  readonly tries: number;
  /** The last heartbeat of its process. */
  readonly at: Date;
}

/** Each record belongs to one process at a time, which renews its lease with a heartbeat. */
export interface Intents {
  /** Records the writes before the primary one is executed. */
  record(intent: Intent): Promise<void>;
  remove(id: string): Promise<void>;
  /** The same for several intents with one command each. */
  recordAll(intents: readonly Intent[]): Promise<void>;
  removeAll(ids: readonly string[]): Promise<void>;
  /** Marks all writes as done, and keeps the records until they expire: then their writes are repeated. */
  settleAll(ids: readonly string[]): Promise<void>;
  /** Marks all writes as done, and keeps the record until it expires: then these are repeated. */
  settle(id: string, repeated: readonly Write[]): Promise<void>;
  /** Marks that the database refuses a write; it is retried at growing intervals. */
  fail(id: string, error: unknown): Promise<void>;
  /** Marks that the primary write was not done, and postpones the rest: it may still be in transit. */
  postpone(id: string): Promise<void>;
  /** Does the record still belong to this process? Needs a command only if that was not confirmed recently. */
  keep(id: string): Promise<boolean>;
  /** Takes over an abandoned record; false if another process did. */
  take(left: LeftIntent): Promise<boolean>;
  /** Stops the heartbeat of the record. */
  release(id: string): void;
  /**
   * The intents without a heartbeat for this many milliseconds, oldest first, without those of this process and those
   * of unknown types.
   */
  left(registry: Registry, olderThan: number): Promise<readonly LeftIntent[]>;
}

/** The stored record; `at` is the last heartbeat of the process `by`. */
interface StoredIntent {
  readonly _id: string;
  readonly at: Date;
  readonly by?: string;
  readonly writes: readonly Record<string, unknown>[];
  readonly done?: true;
  readonly looked?: true;
  readonly failed?: { readonly at: Date; readonly message: string; readonly tries: number };
}

/** Milliseconds between two heartbeats. */
const HEARTBEAT_MS = 15_000;
/** After this many failures the interval no longer doubles: it is about an hour. */
const MAX_DOUBLINGS = 6;

/** Intents in the `_intents` collection. */
export function openIntents(db: Db, renewal = HEARTBEAT_MS): Intents {
  const collection = db.collection<StoredIntent>('_intents');
  const by = randomUUID();
  /** The records of this process, and their last heartbeat. */
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
    // If some were taken over, each is confirmed when it is needed.
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
  /** Changes a record; false if it does not match any more. */
  const change = async (filter: Filter<StoredIntent>, set: Partial<StoredIntent>): Promise<boolean> =>
    (await collection.updateOne(filter, { $set: set }, systemCommandOptions)).matchedCount > 0;
  const takeOver = async (id: string, filter: Filter<StoredIntent>): Promise<boolean> => {
    const at = new Date();
    if (!(await change({ ...filter, _id: id }, { at, by }))) return false;
    hold(id, at);
    return true;
  };

  /** Holds the records while they are inserted, and after that. */
  const insert = async (
    intents: readonly Intent[],
    send: (records: readonly StoredIntent[]) => Promise<unknown>,
  ): Promise<void> => {
    const at = new Date();
    for (const { id } of intents) hold(id, at);
    try {
      await send(intents.map(({ id: _id, writes }) => ({ _id, at, by, writes: writes.map(encodeWrite) })));
    } catch (error) {
      for (const { id } of intents) release(id);
      throw error;
    }
  };

  return {
    record: (intent) =>
      insert([intent], async ([record]) => record && collection.insertOne(record, systemCommandOptions)),
    recordAll: (intents) => insert(intents, (records) => collection.insertMany(records, systemCommandOptions)),
    removeAll: async (ids) => {
      for (const id of ids) release(id);
      await collection.deleteMany({ _id: { $in: [...ids] } }, systemCommandOptions);
    },
    settleAll: async (ids) => {
      for (const id of ids) release(id);
      await collection.updateMany({ _id: { $in: [...ids] } }, { $set: { done: true } }, systemCommandOptions);
    },
    remove: async (_id) => {
      release(_id);
      await collection.deleteOne({ _id }, systemCommandOptions);
    },
    settle: async (_id, repeated) => {
      release(_id);
      await change({ _id }, { done: true, writes: repeated.map(encodeWrite) });
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
      const records = await collection.find(filter, { ...systemCommandOptions, sort: { at: 1 } }).toArray();
      return records.flatMap((stored) => {
        const tries = stored.failed?.tries ?? 0;
        const pause = tries === 0 ? 0 : olderThan * 2 ** Math.min(tries, MAX_DOUBLINGS);
        if (stored.at.getTime() + pause > now) return [];
        const writes = decodeAll(stored.writes, registry);
        if (writes === undefined) return [];
        const { _id: id, at, done = false, looked = false } = stored;
        return [{ id, writes, at, done, looked, tries }];
      });
    },
  };
}

function decodeAll(stored: StoredIntent['writes'], registry: Registry): readonly Write[] | undefined {
  const decoded = stored.map((write) => decodeWrite(write, registry));
  return decoded.every((write) => write !== undefined) ? decoded : undefined;
}

/** The message of an error, truncated before an embedded document. */
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 500);
