import type { Collection, Db } from 'mongodb';
import { groupBy } from '../../config/group-by.js';
import type { Change } from '../../query/change.js';
import type { EntryReceipt } from '../../query/receipt.js';
import { systemCommandOptions } from '../read/time-limits.js';
import { withoutFlush } from '../write/counters.js';
import {
  entriesOf,
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
import { decodeSteps, findSkipped, runSteps, type AfterStep } from './steps.js';
import { timeLeftOf, growingPauses } from './wait.js';

/** What transactions of a process met since its start; `recoveries`: transactions of dead processes. */
export type TransactionCounts = Record<'waits' | 'aborts' | 'recoveries', number>;

export interface After {
  readonly steps: readonly AfterStep[];
  readonly changes: readonly Change[];
}

export interface SettlingOptions {
  readonly db: Db;
  readonly timeout: number;
  readonly raise: (changes: readonly Change[]) => Promise<unknown>;
  readonly expiry: number;
  readonly pause: ((milliseconds: number) => Promise<unknown>) | undefined;
  readonly counts: TransactionCounts;
  /** Collects the receipts of writes; undefined: there are none. */
  readonly receipts: TransactionReceipts | undefined;
}

/** See `openReceipts`. */
interface TransactionReceipts {
  readonly committed: (receipts: readonly EntryReceipt[], forget: () => Promise<void>) => void;
}

/** Milliseconds for which the record of an aborted transaction is kept: its last commands may arrive late. */
const KEPT_MS = 3_600_000;

/** A record with its age by the clock of the database. */
interface AgedTransaction extends StoredTransaction {
  /** Its process has not renewed it within the expiry. */
  readonly isLeft: boolean;
  readonly isOld: boolean;
}

/** What a transaction has to do after its end, and what others do for one that they meet. */
export class Settling {
  readonly #options: SettlingOptions;
  readonly #transactions: Collection<StoredTransaction>;
  readonly #log: Collection<UndoRecord>;

  constructor(options: SettlingOptions) {
    this.#options = options;
    this.#transactions = options.db.collection(TRANSACTIONS);
    this.#log = options.db.collection(UNDO);
  }

  /**
   * Looks at the transaction that has locked an entry. One that has ended is settled, and so is one whose process is
   * dead; then the entry is free.
   * @returns whether it is free
   */
  async resolveLock(transactionId: string, key: EntryKey): Promise<boolean> {
    let record = await this.#look(transactionId);
    if (record === undefined) {
      // The first lock is sent together with the record.
      await growingPauses(this.#options.pause)();
      if (await this.#refuse(transactionId)) {
        await unlockEntries(this.#options, transactionId, [key]);
        return true;
      }
      record = await this.#look(transactionId);
    }
    if (record === undefined || record.state === 'open') return false;
    await this.#settleRecord(record);
    await (record.state === 'committed'
      ? unlockEntries(this.#options, transactionId, [key])
      : this.#removeUnlogged(transactionId, key));
    return true;
  }

  /** Like `resolveLock`, for a transaction that is not recorded before its first lock, without an entry. */
  async hasEnded(transactionId: string): Promise<boolean> {
    const record = await this.#look(transactionId);
    if (record === undefined) return (await this.#refuse(transactionId)) || this.hasEnded(transactionId);
    if (record.state === 'open') return false;
    await this.#settleRecord(record);
    return true;
  }

  /**
   * Does what follows a commit, and removes the locks of these entries, then the log: nothing is restored from it any
   * more, so that nobody has to wait for it. Can be repeated.
   * @param isFirst nobody is known to have run the steps before: only what they find has changed, see `deleteOwnRecord`
   */
  async release(
    transactionId: string,
    { steps, changes }: After,
    keys: readonly EntryKey[],
    isFirst = false,
  ): Promise<void> {
    const { db, timeout, raise } = this.#options;
    const found = await runSteps(db, transactionId, steps, timeout);
    const all = [...changes, ...changesIn(isFirst ? found : steps)];
    await Promise.all([unlockEntries(this.#options, transactionId, keys), raise(all)]);
    await this.#deleteLog(transactionId);
  }

  /**
   * Deletes the record of a transaction of this process. If another one has adopted it, that may have run the steps
   * before, and have died before it told what they changed: then this process tells it first.
   */
  async deleteOwnRecord(transactionId: string, { steps }: After): Promise<void> {
    if (await this.#deleteRecord(transactionId, { isMet: null })) return;
    await this.#options.raise(changesIn(steps));
    await this.#deleteRecord(transactionId);
  }

  /**
   * Follows `release`: waits for entries that others have locked when a step came to them.
   * @param patience milliseconds
   * @returns whether no such entry is left
   */
  async retrySkippedSteps(transactionId: string, { steps, changes }: After, patience: number): Promise<boolean> {
    const { db, timeout, raise, pause } = this.#options;
    const timeLeft = timeLeftOf(patience);
    const rest = growingPauses(pause);
    for (let skipped = await findSkipped(db, steps, timeout); skipped.length > 0;) {
      for (const { transactionId: other, ...key } of skipped)
        if (other !== undefined && other !== transactionId) await this.resolveLock(other, key);
      await runSteps(db, transactionId, steps, timeout);
      await raise([...changes, ...changesIn(steps)]);
      skipped = await findSkipped(db, steps, timeout);
      if (skipped.length > 0 && timeLeft() === 0) return false;
      if (skipped.length > 0) await rest();
    }
    return true;
  }

  /** Undoes what was applied, and removes the locks of these entries. Can be repeated. */
  async undo(transactionId: string, keys: readonly EntryKey[] = []): Promise<void> {
    const { db, timeout, raise } = this.#options;
    const records = await this.#logged(transactionId);
    await restoreEntries(db, transactionId, records, timeout);
    const restored = records.filter(({ document }) => document !== null);
    await unlockEntries(this.#options, transactionId, [...restored.map(keyOf), ...keys]);
    const types = new Set(records.flatMap(({ uid }) => uid ?? []));
    if (types.size > 0) await raise([...types].map((type) => ({ type })));
    // An insert may arrive late: the names of new entries stay until the record goes.
    await this.#clear(restored);
  }

  /**
   * Deletes the undo log, then the record. It need not be flushed: after a crash of the database the sweep does it
   * again.
   */
  async forget(transactionId: string): Promise<void> {
    await this.#deleteLog(transactionId);
    await this.#deleteRecord(transactionId);
  }

  /** Deletes a record once its receipts are collected. */
  async #forgetCollected({ _id, state, receipts }: StoredTransaction): Promise<void> {
    const collector = this.#options.receipts;
    const forget = (): Promise<void> => this.forget(_id);
    if (state === 'committed' && receipts !== undefined && collector !== undefined)
      collector.committed(receipts, forget);
    else await forget();
  }

  async #deleteLog(transactionId: string): Promise<void> {
    const { db } = this.#options;
    await db.collection(UNDO, withoutFlush(db)).deleteMany(undoOf(transactionId), systemCommandOptions);
  }

  async #deleteRecord(transactionId: string, condition: object = {}): Promise<boolean> {
    const { db } = this.#options;
    const records = db.collection<StoredTransaction>(TRANSACTIONS, withoutFlush(db));
    return (await records.deleteOne({ _id: transactionId, ...condition }, systemCommandOptions)).deletedCount > 0;
  }

  /** Ends what processes have left; see `Transactions`. */
  async recover(isExclusive: boolean): Promise<number> {
    const aborting = { $set: { state: 'aborted' as const } };
    if (isExclusive) await this.#transactions.updateMany({ state: 'open' }, aborting, systemCommandOptions);
    else await this.#abortLeft({});
    const ended = await this.#find({ state: { $ne: 'open' } });
    const left = ended.filter(({ isLeft, state }) => isExclusive || isLeft || state === 'aborted');
    const settleAndForget = async (record: AgedTransaction): Promise<void> => {
      const isSettled = await this.#settleRecord(record);
      if (isSettled && (isExclusive || record.isOld || record.state === 'committed'))
        await this.#forgetCollected(record);
    };
    await runAll(left.map((record) => () => settleAndForget(record)));
    return left.length;
  }

  /** Returns whether nothing is left to do; what other transactions prevent is left to a later one. */
  async #settleRecord({
    _id: transactionId,
    state,
    after: encoded,
    changes = [],
  }: StoredTransaction): Promise<boolean> {
    if (state !== 'committed') {
      await this.undo(transactionId);
      return true;
    }
    const update = { $set: { isMet: true as const } };
    const { matchedCount } = await this.#transactions.updateOne({ _id: transactionId }, update, systemCommandOptions);
    // Its process has done everything.
    if (matchedCount === 0) return true;
    const after = { steps: decodeSteps(encoded), changes };
    const records = await this.#logged(transactionId);
    await this.release(transactionId, after, records.map(keyOf));
    return this.retrySkippedSteps(transactionId, after, 0);
  }

  /** What the log does not have: an insert that arrived late, and an entry that was locked and not changed. */
  async #removeUnlogged(transactionId: string, { collection, id }: EntryKey): Promise<void> {
    const { db, timeout: maxTimeMS } = this.#options;
    const [entries, filter] = [entriesOf(db, collection), { _id: id, ...lockedBy(transactionId) }];
    await entries.deleteOne({ ...filter, [`${LOCK}.isNew`]: true }, { maxTimeMS });
    await entries.updateOne({ ...filter, [`${LOCK}.changed`]: null }, { $unset: { [LOCK]: '' } }, { maxTimeMS });
  }

  /** The record of a transaction, which is aborted if its process is dead. */
  async #look(transactionId: string): Promise<AgedTransaction | undefined> {
    const [record] = await this.#find({ _id: transactionId });
    if (record?.state !== 'open' || !record.isLeft) return record;
    await this.#abortLeft({ _id: transactionId });
    return (await this.#find({ _id: transactionId }))[0];
  }

  /** A transaction that is not recorded yet cannot be committed any more; false: it is recorded. */
  async #refuse(transactionId: string): Promise<boolean> {
    const update = { $setOnInsert: { state: 'aborted' as const, at: new Date() } };
    const options = { ...systemCommandOptions, upsert: true };
    return (await this.#transactions.updateOne({ _id: transactionId }, update, options)).upsertedCount > 0;
  }

  async #abortLeft(filter: object): Promise<void> {
    const { expiry, counts } = this.#options;
    const { modifiedCount } = await this.#transactions.updateMany(
      { ...filter, state: 'open', $expr: isOlder(expiry) },
      { $set: { state: 'aborted' }, $currentDate: { at: true } },
      systemCommandOptions,
    );
    counts.recoveries += modifiedCount;
  }

  #find(filter: object): Promise<readonly AgedTransaction[]> {
    const isLeft = isOlder(this.#options.expiry);
    const isOld = isOlder(KEPT_MS);
    const projection = { state: 1, at: 1, after: 1, changes: 1, receipts: 1, isLeft, isOld } as const;
    const options = { ...systemCommandOptions, projection, readPreference: 'primary' } as const;
    return this.#transactions.find<AgedTransaction>(filter, options).toArray();
  }

  #logged(transactionId: string): Promise<readonly UndoRecord[]> {
    const options = { ...systemCommandOptions, promoteValues: false, readPreference: 'primary' } as const;
    return this.#log.find(undoOf(transactionId), options).toArray();
  }

  /** Only those that were read: a process that is suspected wrongly may log and apply more. */
  async #clear(records: readonly UndoRecord[]): Promise<void> {
    if (records.length === 0) return;
    await this.#log.deleteMany({ _id: { $in: records.map(({ _id }) => _id) } }, systemCommandOptions);
  }
}

const changesIn = (steps: readonly AfterStep[]): readonly Change[] =>
  steps.flatMap((step) => (step.kind === 'update' && step.change !== undefined ? step.change : []));

/** The condition that the last heartbeat is older, by the clock of the database. */
const isOlder = (milliseconds: number) => ({ $lt: ['$at', { $subtract: ['$$NOW', milliseconds] }] });

const keyOf = ({ collection, id }: UndoRecord): EntryKey => ({ collection, id: Number(id) });

/** Removes the locks that a transaction has on these entries. */
export async function unlockEntries(
  { db, timeout: maxTimeMS }: { readonly db: Db; readonly timeout: number },
  transactionId: string,
  keys: readonly EntryKey[],
): Promise<void> {
  const groups = [...groupBy(keys, ({ collection }) => collection)];
  await Promise.all(
    groups.map(([name, own]) => {
      const filter = { _id: { $in: own.map(({ id }) => id) }, ...lockedBy(transactionId) };
      return entriesOf(db, name).updateMany(filter, { $unset: { [LOCK]: '' } }, { maxTimeMS });
    }),
  );
}

/** Runs all of these works, in order. @throws the first of their errors */
export async function runAll(works: readonly (() => unknown)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const work of works) {
    try {
      await work();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
