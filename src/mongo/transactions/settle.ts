import type { Collection, Db } from 'mongodb';
import { groupBy } from '../../config/group-by.js';
import type { Change } from '../../query/change.js';
import { systemCommandOptions } from '../read/time-limits.js';
import {
  LOCK,
  lockedBy,
  TRANSACTIONS,
  UNDO,
  undoOf,
  type EntryKey,
  type StoredTransaction,
  type UndoRecord,
} from './format.js';
import { restoreEntries } from './restore.js';
import { decodeSteps, findLeftAlone, runSteps, type AfterStep } from './steps.js';
import { deadlineIn, growingPauses, Locked } from './wait.js';

/** What a transaction has to do after its end, and what others do for one that they meet. */
export interface Settling {
  /**
   * Looks at the transaction that has locked an entry. One that has ended is settled, and so is one whose process is dead; then the entry is free.
   * @returns whether it is free
   */
  meet(by: string, key: EntryKey): Promise<boolean>;
  /** Like `meet`, for a transaction that is not recorded before its first lock, without an entry. */
  hasEnded(by: string): Promise<boolean>;
  /** Does what follows a commit, and removes the locks of these entries, and those in the undo log. Can be repeated. */
  finish(by: string, after: After, keys?: readonly EntryKey[]): Promise<void>;
  /** Undoes what was applied, and removes the locks of these entries. Can be repeated. */
  undo(by: string, keys?: readonly EntryKey[]): Promise<void>;
  /** Deletes the undo log, then the record. Only its process does that, which knows the outcome, or everybody after `KEPT_MS`. */
  forget(by: string): Promise<void>;
  /** Ends what processes have left; see `Transactions`. */
  recover(alone: boolean): Promise<number>;
}

export interface After {
  readonly steps: readonly AfterStep[];
  readonly changes: readonly Change[];
}

interface SettlingOptions {
  readonly db: Db;
  readonly timeout: number;
  readonly raise: (changes: readonly Change[]) => Promise<unknown>;
  readonly expiry: number;
  readonly patience: number;
  readonly pause: ((milliseconds: number) => Promise<unknown>) | undefined;
  readonly countRecovery: () => void;
}

/** Milliseconds for which the record of a dead process is kept: its last commands may arrive late. */
const KEPT_MS = 3_600_000;

/** A record with its age by the clock of the database. */
interface AgedTransaction extends StoredTransaction {
  /** Has its process not renewed it for longer than the expiry? */
  readonly isLeft: boolean;
  readonly isOld: boolean;
}

export function openSettling(options: SettlingOptions): Settling {
  const { db, timeout, raise, expiry, patience, pause, countRecovery } = options;
  const transactions = db.collection<StoredTransaction>(TRANSACTIONS);
  const log = db.collection<UndoRecord>(UNDO);
  const isOlder = (milliseconds: number) => ({ $lt: ['$at', { $subtract: ['$$NOW', milliseconds] }] });
  const aged = { state: 1, at: 1, after: 1, changes: 1, isLeft: isOlder(expiry), isOld: isOlder(KEPT_MS) } as const;
  const find = (filter: object): Promise<readonly AgedTransaction[]> =>
    transactions
      .find<AgedTransaction>(filter, { ...systemCommandOptions, projection: aged, readPreference: 'primary' })
      .toArray();

  const unlock = (by: string, keys: readonly EntryKey[]): Promise<unknown> =>
    Promise.all(
      [...groupBy(keys, ({ collection }) => collection)].map(([name, own]) =>
        entriesOf(db, name).updateMany(
          { _id: { $in: own.map(({ id }) => id) }, ...lockedBy(by) },
          { $unset: { [LOCK]: '' } },
          { maxTimeMS: timeout },
        ),
      ),
    );
  const logged = (by: string): Promise<readonly UndoRecord[]> =>
    log.find(undoOf(by), { ...systemCommandOptions, promoteValues: false, readPreference: 'primary' }).toArray();
  /** Only those that were read: a process that is suspected wrongly may log and apply more. */
  const clear = async (records: readonly UndoRecord[]): Promise<void> => {
    if (records.length === 0) return;
    await log.deleteMany({ _id: { $in: records.map(({ _id }) => _id) } }, systemCommandOptions);
  };

  const finish: Settling['finish'] = async (by, { steps, changes }, keys) => {
    await runSteps(db, by, steps, timeout);
    const records = keys === undefined ? await logged(by) : [];
    await Promise.all([unlock(by, keys ?? records.map(keyOf)), raise(changes)]);
    await finishLeftAlone(by, steps, changes);
    await clear(records);
  };
  /** Waits for entries that others have locked when a step came to them. */
  const finishLeftAlone = async (
    by: string,
    steps: readonly AfterStep[],
    changes: readonly Change[],
  ): Promise<void> => {
    const { left } = deadlineIn(patience);
    const rest = growingPauses(pause);
    for (let alone = await findLeftAlone(db, steps, timeout); alone.length > 0;) {
      for (const { by: other, ...key } of alone) if (other !== undefined && other !== by) await meet(other, key);
      await runSteps(db, by, steps, timeout);
      await raise(changes);
      alone = await findLeftAlone(db, steps, timeout);
      if (alone.length > 0 && left() === 0) throw new Locked();
      if (alone.length > 0) await rest();
    }
  };
  const undo: Settling['undo'] = async (by, keys = []) => {
    const records = await logged(by);
    await restoreEntries(db, by, records, timeout);
    const restored = records.filter(({ document }) => document !== null);
    await unlock(by, [...restored.map(keyOf), ...keys]);
    const types = new Set(records.flatMap(({ uid }) => uid ?? []));
    if (types.size > 0) await raise([...types].map((type) => ({ type })));
    // An insert may arrive late: the names of new entries stay until the record goes.
    await clear(restored);
  };
  const look = async (by: string): Promise<AgedTransaction | undefined> => {
    let [record] = await find({ _id: by });
    if (record?.state === 'open' && record.isLeft) {
      await abortLeft({ _id: by });
      [record] = await find({ _id: by });
    }
    return record;
  };
  const meet: Settling['meet'] = async (by, key) => {
    let record = await look(by);
    if (record === undefined) {
      // The first lock is sent together with the record.
      await growingPauses(pause)();
      if (await refuse(by)) {
        await unlock(by, [key]);
        return true;
      }
      record = await look(by);
    }
    if (record === undefined || record.state === 'open') return false;
    if (record.state === 'committed') {
      await finish(by, afterOf(record));
      await unlock(by, [key]);
      return true;
    }
    await undo(by);
    // What the log does not have: an insert that arrived late, and an entry that was locked and not changed.
    const [entries, filter] = [entriesOf(db, key.collection), { _id: key.id, ...lockedBy(by) }];
    await entries.deleteOne({ ...filter, [`${LOCK}.isNew`]: true }, { maxTimeMS: timeout });
    const unchanged = { ...filter, [`${LOCK}.changed`]: null };
    await entries.updateOne(unchanged, { $unset: { [LOCK]: '' } }, { maxTimeMS: timeout });
    return true;
  };
  /** A transaction that is not recorded yet cannot be committed any more; false: it is recorded. */
  const refuse = async (by: string): Promise<boolean> => {
    const update = { $setOnInsert: { state: 'aborted' as const, at: new Date() } };
    const options = { ...systemCommandOptions, upsert: true };
    return (await transactions.updateOne({ _id: by }, update, options)).upsertedCount > 0;
  };
  const abortLeft = async (filter: object): Promise<void> => {
    const { modifiedCount } = await transactions.updateMany(
      { ...filter, state: 'open', $expr: isOlder(expiry) },
      { $set: { state: 'aborted' }, $currentDate: { at: true } },
      systemCommandOptions,
    );
    for (let count = 0; count < modifiedCount; count += 1) countRecovery();
  };
  const forget: Settling['forget'] = async (by) => {
    await log.deleteMany(undoOf(by), systemCommandOptions);
    await transactions.deleteOne({ _id: by }, systemCommandOptions);
  };
  const hasEnded: Settling['hasEnded'] = async (by) => {
    const record = await look(by);
    if (record === undefined) return (await refuse(by)) || hasEnded(by);
    if (record.state === 'open') return false;
    await (record.state === 'committed' ? finish(by, afterOf(record)) : undo(by));
    return true;
  };
  return {
    meet,
    hasEnded,
    finish,
    undo,
    forget,
    recover: async (alone) => {
      if (alone) await transactions.updateMany({ state: 'open' }, { $set: { state: 'aborted' } }, systemCommandOptions);
      else await abortLeft({});
      const left = (await find({ state: { $ne: 'open' } })).filter(
        ({ isLeft, state }) => alone || isLeft || state === 'aborted',
      );
      const errors: unknown[] = [];
      for (const record of left) {
        const settled = record.state === 'aborted' ? undo(record._id) : finish(record._id, afterOf(record));
        await settled.then(
          () => (alone || record.isOld ? forget(record._id) : undefined),
          (error: unknown) => errors.push(error),
        );
      }
      if (errors.length > 0) throw errors[0];
      return left.length;
    },
  };
}

const keyOf = ({ collection, id }: UndoRecord): EntryKey => ({ collection, id: Number(id) });

const afterOf = ({ after, changes = [] }: StoredTransaction): After => ({ steps: decodeSteps(after), changes });

/** The entries of a collection by their ids. */
export const entriesOf = (db: Db, name: string): Collection<{ _id: number }> => db.collection(name);
