import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Db, Document } from 'mongodb';
import { groupBy } from '../../config/group-by.js';
import type { Change } from '../../query/change.js';
import { hasCode } from '../../errors/app-error.js';
import { translated } from '../errors.js';
import { createInsertBatcher, type Insert } from '../write/insert-batcher.js';
import { EntryQueue } from './entry-queue.js';
import { entriesOf, LOCK, lockOf, matchingOrLocked, nameOf, type EntryKey } from './format.js';
import { Heartbeat } from './heartbeat.js';
import { Settling, type TransactionCounts } from './settle.js';
import { Transaction } from './transaction.js';
import type { TransactionParts } from './transaction-parts.js';
import { timeLeftOf, growingPauses, Locked } from './wait.js';

interface TransactionOptions {
  readonly db: Db;
  /** Milliseconds of a command on entries. */
  readonly timeout: number;
  /** Invalidates the caches of all processes. */
  readonly raise?: (changes: readonly Change[]) => Promise<unknown>;
  readonly receipts?: TransactionParts['receipts'];
  /** Milliseconds without a heartbeat after which a process counts as dead. */
  readonly expiry?: number;
  /** Milliseconds for which a transaction may be open. */
  readonly longest?: number;
  /** Milliseconds for which a write waits for locks. */
  readonly patience?: number | undefined;
  /** Pauses between two looks at a lock; for tests. */
  readonly pause?: ((milliseconds: number) => Promise<unknown>) | undefined;
}

const LONGEST_MS = 600_000;
const [EXPIRY_MS, PATIENCE_MS] = [10_000, 3000];
/** Attempts at least, however long they take. */
const ATTEMPTS = 10;

/** The transactions of one process on a database. */
export class Transactions {
  readonly counts: TransactionCounts = { waits: 0, aborts: 0, recoveries: 0 };
  /** Concurrent inserts share commands, in transactions and outside of them. */
  readonly insert: Insert;
  readonly #running = new AsyncLocalStorage<Transaction | undefined>();
  /** Transactions that have not ended. */
  #open = 0;
  readonly #parts: TransactionParts;

  constructor(options: TransactionOptions) {
    const { db, timeout, raise = () => Promise.resolve(), receipts, pause } = options;
    const { expiry = EXPIRY_MS, longest = LONGEST_MS, patience = PATIENCE_MS } = options;
    const settling = { db, timeout, raise, expiry, pause, counts: this.counts, receipts };
    this.insert = createInsertBatcher(db, timeout);
    this.#parts = {
      ...settling,
      patience,
      queue: new EntryQueue(),
      settling: new Settling(settling),
      heartbeat: new Heartbeat(db, longest),
      insert: this.insert,
      ended: () => {
        this.#open -= 1;
        // It slows down each promise of the process, also those of reads.
        if (this.#open === 0) this.#running.disable();
      },
    };
  }

  /** The transaction in which the caller runs, if there is one that has not ended. */
  current(): Transaction | undefined {
    const transaction = this.#running.getStore();
    return transaction?.state === 'open' || transaction?.state === 'failed' ? transaction : undefined;
  }

  /** Opens a transaction: it stores nothing before its first lock or change. */
  open(): Transaction {
    this.#open += 1;
    return new Transaction(randomUUID(), this.#parts);
  }

  /** Runs work inside a transaction, which the work does not end; undefined: outside of any. */
  within<T>(transaction: Transaction | undefined, work: () => T): T {
    return this.#running.run(transaction, work);
  }

  /** Makes the rest of the caller's function, and what it calls, run inside a transaction, until this ends. */
  enter(transaction: Transaction): void {
    this.#running.enterWith(transaction);
  }

  /**
   * Runs work in the current transaction, or in one of its own: this is committed after the work, or aborted if the
   * work throws.
   * @throws the error of the work, or as `commit`
   */
  async run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const transaction = this.current();
    return transaction === undefined ? this.#execute(this.open(), work) : work(transaction);
  }

  /**
   * Runs work in a transaction of its own, which is aborted then.
   * @throws the error of the work; Locked if others have aborted it before
   */
  tryOut<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#execute(this.open(), work, 'abort');
  }

  /**
   * Runs work in the transaction that this code runs in. Otherwise in one of its own: then it is repeated while others
   * have locked its entries.
   * @throws Locked if that takes too long; the error of the work, or as `commit`
   */
  async joinOrRepeat<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const current = this.current();
    if (current !== undefined) return work(current);
    const timeLeft = timeLeftOf(this.#parts.patience);
    const rest = growingPauses(this.#parts.pause);
    for (let attempt = 1; ; attempt += 1) {
      const transaction = this.open();
      try {
        return await this.#execute(transaction, work);
      } catch (error) {
        const isUndone = transaction.isTakenOver || (error instanceof Locked && !error.isLate);
        const isRefused = isUndone && transaction.state !== 'committed';
        if (!isRefused) throw error;
        if (timeLeft() === 0 && attempt >= ATTEMPTS) throw error;
      }
      await rest();
    }
  }

  /**
   * Waits for the transactions that have locked these entries. Returns whether one of them is there, free, and matches:
   * a write that has not found it is repeated.
   * @param patience milliseconds
   * @throws Locked if that takes too long; AppError unavailable
   */
  async awaitUnlocked(
    keys: readonly EntryKey[],
    matching: Document = {},
    patience = this.#parts.patience,
  ): Promise<boolean> {
    const { db, timeout, pause } = this.#parts;
    const timeLeft = timeLeftOf(patience);
    const rest = growingPauses(pause);
    for (let isFirst = true; ; isFirst = false) {
      const found = await translated(() => findLocks(db, keys, matching, timeout));
      const locked = found.flatMap(({ key, transactionId }) =>
        transactionId === undefined ? [] : [{ key, transactionId }],
      );
      if (locked.length === 0) return found.length > 0;
      if (isFirst) this.counts.waits += 1;
      let isFree = true;
      for (const { transactionId, key } of locked) isFree = (await this.resolveLock(transactionId, key)) && isFree;
      if (isFree) return true;
      if (timeLeft(locked[0]?.transactionId) === 0) throw new Locked(true);
      await rest();
    }
  }

  /**
   * Runs a write of one entry after those writes of this process that have it, and before those that come later.
   * @throws Locked
   */
  async inOrder<T>(key: EntryKey, work: () => Promise<T>): Promise<T> {
    const [name, owner] = [nameOf(key), randomUUID()];
    if (this.#parts.queue.has(name)) this.counts.waits += 1;
    if ((await this.#parts.queue.enter(name, owner, this.#parts.patience)) !== 'entered') throw new Locked(true);
    try {
      const result = await work();
      this.#parts.queue.touch(owner);
      return result;
    } finally {
      this.#parts.queue.leave(name, owner);
    }
  }

  /** Whether a write of this process uses the entry. */
  isInUse(key: EntryKey): boolean {
    return this.#parts.queue.has(nameOf(key));
  }

  /** Whether an entry that a transaction has locked is free now; it does not wait. */
  resolveLock(transactionId: string, key: EntryKey): Promise<boolean> {
    return translated(() => this.#parts.settling.resolveLock(transactionId, key));
  }

  /** Whether a transaction has ended; then everything that follows its end is done. */
  hasEnded(id: string): Promise<boolean> {
    return translated(() => this.#parts.settling.hasEnded(id));
  }

  /** Completes what an error interrupted in this process, e.g. before its next write. @throws AppError unavailable */
  finishInterrupted(): Promise<void> {
    return translated(() => this.#parts.heartbeat.finishInterrupted());
  }

  /**
   * Ends all transactions that other processes have left: those without a heartbeat for the time after which a process
   * counts as dead.
   * @param isExclusive no other process uses the database: they have all been left
   * @returns their number
   */
  async recover(isExclusive = false): Promise<number> {
    await this.#parts.heartbeat.finishInterrupted();
    return this.#parts.settling.recover(isExclusive);
  }

  /** Ends what happens at intervals, and the tracking of what runs in a transaction. */
  close(): void {
    this.#parts.heartbeat.stop();
    this.#running.disable();
  }

  async #execute<T>(
    transaction: Transaction,
    work: (transaction: Transaction) => Promise<T>,
    end: 'commit' | 'abort' = 'commit',
  ): Promise<T> {
    let result: T;
    try {
      await this.finishInterrupted();
      result = await translated(() => this.within(transaction, () => work(transaction)));
    } catch (error) {
      await this.within(undefined, () => transaction.abort()).catch(() => undefined);
      // The reason of a refusal may be what the other process had undone.
      throw transaction.isTakenOver && !hasCode(error, 'unavailable', 'outOfTime') ? new Locked() : error;
    }
    await this.within(undefined, () => transaction[end]());
    return result;
  }
}

/**
 * Those of these entries that are locked, or match, with the transactions that have locked them. One command for each
 * collection.
 */
async function findLocks(
  db: Db,
  keys: readonly EntryKey[],
  matching: Document,
  maxTimeMS: number,
): Promise<readonly { readonly key: EntryKey; readonly transactionId: string | undefined }[]> {
  const options = { projection: { [LOCK]: 1 }, maxTimeMS, readPreference: 'primary' } as const;
  const found = await Promise.all(
    [...groupBy(keys, ({ collection }) => collection)].map(async ([collection, own]) => {
      const filter = { _id: { $in: own.map(({ id }) => id) }, ...matchingOrLocked(matching) };
      const entries = await entriesOf(db, collection).find(filter, options).toArray();
      return entries.map((entry) => ({ key: { collection, id: entry._id }, transactionId: lockOf(entry)?.by }));
    }),
  );
  return found.flat();
}
