import { randomUUID } from 'node:crypto';
import type { Db, Document, Filter } from 'mongodb';
import type { Registry } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import type { Write } from '../../query/mutation.js';
import { BATCH_MARK, type BatchStep, type Decision } from './batch/batch-step.js';
import { decodeStep, encodeStep, type StoredStep } from './batch/step-format.js';
import { decodeWrite, encodeWrite } from './intent-format.js';
import { systemCommandOptions } from '../read/time-limits.js';

/** Writes to several documents, recorded until all of them are done, so that another process can complete them. */
export interface Intent {
  readonly id: string;
  readonly writes: readonly Write[];
  /** The steps of a batch, which has no other writes. */
  readonly batch?: readonly BatchStep[] | undefined;
  /** The idempotency key with which it is stored that the batch is done. */
  readonly key?: string | undefined;
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
  /** Stores the steps of a batch again: an entry has changed before it was written. */
  replaceSteps(id: string, steps: readonly BatchStep[]): Promise<void>;
  /** Decides a batch, once: returns what is decided; undefined if the record does not belong to this process any more. */
  decide(id: string, decision: Decision): Promise<Decision | undefined>;
  /** What is decided about a batch. */
  decisionOf(id: string): Promise<Decision | undefined>;
  /** May one of the batches with these marks be undone, now or later? Of a negative one: or is it not finished? */
  arePending(marks: readonly number[]): Promise<boolean>;
  /** Marks all writes as done, and keeps the record until it expires: then these are repeated. */
  settle(id: string, repeated: readonly Write[], isBatch?: boolean): Promise<void>;
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
  readonly batch?: readonly StoredStep[];
  readonly key?: string;
  readonly decision?: Decision;
  readonly done?: true;
  readonly looked?: true;
  readonly failed?: { readonly at: Date; readonly message: string; readonly tries: number };
}

/** Instead of the writes of a batch: versions without batches leave records of unknown types alone. */
const BATCH_WRITES = [{ type: '_batch' }];

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
      await send(intents.map((intent) => ({ _id: intent.id, at, by, ...contentOf(intent) })));
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
    replaceSteps: async (_id, steps) => {
      if (!(await change({ _id, by }, { batch: steps.map(encodeStep) }))) throw new AppError('unavailable');
    },
    decide: async (_id, decision) => {
      if (await change({ _id, by, decision: { $exists: false } }, { decision })) return decision;
      return (await collection.findOne({ _id, by }, systemCommandOptions))?.decision;
    },
    decisionOf: async (_id) => (await collection.findOne({ _id }, systemCommandOptions))?.decision,
    arePending: async (marks) => {
      const having = (numbers: readonly number[]): Document => ({
        'batch.primary.changes.marks': { $elemMatch: { a: BATCH_MARK, n: { $in: numbers } } },
      });
      const undecided = { ...having(marks.map(Math.abs)), decision: { $ne: 'done' } };
      const unfinished = having(marks.flatMap((mark) => (mark < 0 ? -mark : [])));
      const filter = { $or: [undecided, unfinished] } as Filter<StoredIntent>;
      return (await collection.findOne(filter, { ...systemCommandOptions, projection: { _id: 1 } })) !== null;
    },
    settle: async (_id, repeated, isBatch = false) => {
      release(_id);
      const changes = { done: true, writes: repeated.map(encodeWrite) } as const;
      if (!isBatch) await change({ _id }, changes);
      else
        await collection.updateOne(
          { _id },
          { $set: changes, $unset: { batch: '', decision: '' } },
          systemCommandOptions,
        );
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
        const { _id: id, at, done = false, looked = false } = stored;
        const state = { id, at, done, looked, tries };
        if (stored.batch !== undefined) {
          const batch = decodeAll(stored.batch, (step) => decodeStep(step, registry));
          return batch === undefined ? [] : [{ ...state, writes: [], batch, key: stored.key }];
        }
        const writes = decodeAll(stored.writes, (write) => decodeWrite(write, registry));
        return writes === undefined ? [] : [{ ...state, writes }];
      });
    },
  };
}

const contentOf = ({ writes, batch, key }: Intent): Pick<StoredIntent, 'writes' | 'batch' | 'key'> =>
  batch === undefined
    ? { writes: writes.map(encodeWrite) }
    : { writes: BATCH_WRITES, batch: batch.map(encodeStep), ...(key !== undefined && { key }) };

/** Undefined if one of them cannot be decoded. */
function decodeAll<S, T>(stored: readonly S[], decode: (element: S) => T | undefined): readonly T[] | undefined {
  const decoded = stored.map(decode);
  return decoded.every((element) => element !== undefined) ? decoded : undefined;
}

/** The message of an error, truncated before an embedded document. */
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 500);
