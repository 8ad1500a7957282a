import type { Collection, Document } from 'mongodb';
import type { Change } from '../../query/change.js';
import type { EntryReceipt } from '../../query/receipt.js';
import { isRefusal, translated } from '../errors.js';
import { systemCommandOptions } from '../read/time-limits.js';
import { withFields } from '../stored/entry-edit.js';
import { withoutFlush } from '../write/counters.js';
import { applyTogether, runsOf, type EntryChange, type LoggedKey } from './apply-changes.js';
import {
  nameOf,
  TRANSACTIONS,
  UNDO,
  undoId,
  type EntryKey,
  type StoredTransaction,
  type UndoRecord,
} from './format.js';
import { compareKeys, keysLockedBy, lockEntries, type EntryState } from './lock-entries.js';
import { runAll } from './settle.js';
import { encodeSteps, type AfterStep } from './steps.js';
import type { TransactionParts } from './transaction-parts.js';
import { timeLeftOf, Locked } from './wait.js';

/**
 * Open, or how it ended; `failed`: part of a statement was refused after another part was applied, so it can only be
 * aborted; `unclear`: the commit had no answer, and this process finds out soon.
 */
type TransactionState = 'open' | 'failed' | 'committed' | 'aborted' | 'unclear';

/**
 * Milliseconds that a transaction waits for other processes while it has locked other entries, so that of two that wait
 * for each other one gives up soon.
 */
const HOLDING_MS = 1000;

/**
 * Changes of several entries of which all happen, or none. It ends with `commit` or `abort`; if its process dies before
 * that, other processes abort it. Calls of `lock` and `apply` follow each other, see `inTurn`, except those that insert
 * one entry: these share commands.
 */
export class Transaction {
  readonly id: string;
  readonly #parts: TransactionParts;
  readonly #records: Collection<StoredTransaction>;
  /** By the names of the entries. */
  readonly #entries = new Map<string, EntryState>();
  /** The names of the entries in the log: an id of a new one that was refused may come again. */
  readonly #logged = new Set<string>();
  readonly #steps: AfterStep[] = [];
  readonly #changes: Change[] = [];
  readonly #receipts: EntryReceipt[] = [];
  readonly #onCommit: (() => unknown)[] = [];
  readonly #onAbort: (() => unknown)[] = [];
  #state: TransactionState = 'open';
  #begun: Promise<unknown> | undefined;
  /** A command had no answer: it may be executed later. */
  #isUnclear = false;
  /** The steps may have run. */
  #hasFinished = false;
  #isTakenOver = false;
  #lastStatement: Promise<unknown> = Promise.resolve();

  constructor(id: string, parts: TransactionParts) {
    this.id = id;
    this.#parts = parts;
    this.#records = parts.db.collection(TRANSACTIONS);
  }

  get state(): TransactionState {
    return this.#state;
  }

  /** Whether another process had aborted it before this one did. */
  get isTakenOver(): boolean {
    return this.#isTakenOver;
  }

  /** Records it before its first lock or change. */
  async begin(): Promise<void> {
    const { db, heartbeat } = this.#parts;
    if (this.#begun === undefined) {
      heartbeat.begun(this.id);
      const update = { $setOnInsert: { state: 'open' as const }, $currentDate: { at: true as const } };
      const records = db.collection<StoredTransaction>(TRANSACTIONS, withoutFlush(db));
      this.#begun = records.updateOne({ _id: this.id }, update, { ...systemCommandOptions, upsert: true });
    }
    await this.#noting(this.#begun);
  }

  /**
   * Locks entries that it will read or change, and returns them as the transaction finds them, in the order of the
   * keys; undefined: there is no such entry, or this transaction removes it. Waits for other transactions. Numbers keep
   * their types (`Int32`, `Double`, `Long`).
   * @throws Locked if that takes too long; AppError unavailable, outOfTime
   */
  async lock(keys: readonly EntryKey[]): Promise<readonly (Document | undefined)[]> {
    this.#requireOpen();
    const missing = new Map(keys.map((key) => [nameOf(key), key]));
    for (const name of this.#entries.keys()) missing.delete(name);
    if (missing.size > 0) await translated(() => this.#lockMissing([...missing.values()].toSorted(compareKeys)));
    return keys.map((key) => {
      const entry = this.#entries.get(nameOf(key));
      return entry?.isRemoved === true ? undefined : entry?.document;
    });
  }

  async #lockMissing(keys: readonly EntryKey[]): Promise<void> {
    const { queue, patience, counts } = this.#parts;
    const entered: string[] = [];
    try {
      for (const name of keys.map(nameOf)) {
        if (queue.has(name)) counts.waits += 1;
        const outcome = await queue.enter(name, this.id, patience);
        if (outcome !== 'entered') throw new Locked(outcome === 'late');
        entered.push(name);
      }
      const isFirst = this.#entries.size === 0;
      const timeLeft = timeLeftOf(isFirst ? patience : HOLDING_MS * (0.5 + Math.random()));
      // The record is sent first.
      const begun = this.begin();
      const locking = lockEntries(this.#parts, this.id, keys, timeLeft, isFirst);
      const [, entries] = await this.#noting(Promise.all([begun, locking]));
      for (const entry of entries) this.#entries.set(nameOf(entry.key), entry);
      queue.touch(this.id);
    } catch (error) {
      for (const name of entered) queue.leave(name, this.id);
      throw error;
    }
  }

  /**
   * Logs entries that it has locked and will change, and the names of those that it will create, with fewer commands
   * than one change after the other needs. @throws as `lock`
   */
  async log(changed: readonly LoggedKey[], created: readonly LoggedKey[]): Promise<void> {
    const present = changed.filter((key) => this.#entries.get(nameOf(key))?.document !== undefined);
    const entries = present.map((key) => ({ ...key, isNew: false }));
    await translated(async () => {
      await this.begin();
      await this.#noting(this.#log([...entries, ...created.map((key) => ({ ...key, isNew: true }))]));
    });
  }

  /**
   * Logs and applies changes of entries that it has locked, and inserts of new ones, in this order. If the first one is
   * refused, nothing has changed.
   * @throws the driver's error of a refused write, see `duplicateOf`; Locked if another process has aborted the
   * transaction; AppError unavailable, outOfTime
   */
  async apply(changes: readonly EntryChange[]): Promise<void> {
    this.#requireOpen();
    if (changes.length > 0) await translated(() => this.#apply(changes));
  }

  async #apply(changes: readonly EntryChange[]): Promise<void> {
    await this.begin();
    await this.#noting(this.#log(changes.map((change) => ({ ...change, isNew: change.kind === 'insert' }))));
    const { queue } = this.#parts;
    let isApplied = false;
    try {
      for (const run of runsOf(changes)) {
        // Of a run, some may be applied when one is refused.
        isApplied ||= run.length > 1;
        const areAll = await this.#noting(applyTogether(this.#parts, this.id, run));
        for (const change of run) this.#remember(change);
        if (!areAll) throw new Locked();
        queue.touch(this.id);
        isApplied = true;
      }
    } catch (error) {
      if (isApplied || !isRefusal(error)) this.#state = 'failed';
      throw error;
    }
  }

  async #log(entries: readonly (LoggedKey & { readonly isNew: boolean })[]): Promise<void> {
    const added = new Map<string, UndoRecord>();
    for (const { collection, id, uid, isNew } of entries) {
      const key = { collection, id };
      const name = nameOf(key);
      if (this.#logged.has(name)) continue;
      const document = isNew ? null : (this.#entries.get(name)?.document ?? null);
      added.set(name, { _id: undoId(this.id, key), ...key, document, ...(uid !== undefined && { uid }) });
    }
    if (added.size === 0) return;
    // This waits for the flush, as a server that crashes and is back may execute the changes that follow.
    await this.#parts.db.collection<UndoRecord>(UNDO).insertMany([...added.values()], systemCommandOptions);
    // Whoever aborts this transaction has read the log before that, and would not restore what is applied now. A new
    // entry is removed whenever it arrives.
    const restores = [...added.values()].some(({ document }) => document !== null);
    if (restores && (await this.#findState()) !== 'open') throw new Locked();
    for (const name of added.keys()) this.#logged.add(name);
  }

  /** The entry as it is after a change that was applied. */
  #remember(change: EntryChange): void {
    const { collection, id } = change;
    const name = nameOf(change);
    const own = this.#entries.get(name) ?? { key: { collection, id }, document: undefined, lock: undefined };
    if (change.kind === 'insert') {
      own.document = change.document;
      own.lock = { by: this.id, isNew: true, changed: true };
    } else {
      own.document = withFields(own.document ?? {}, change.fields);
      own.lock = { by: this.id, ...own.lock, changed: true };
    }
    this.#entries.set(name, own);
  }

  /**
   * Removes entries of a collection that it has locked, or created: at the commit. Until then they keep their unique
   * values.
   */
  remove(collection: string, ids: readonly number[]): void {
    this.#requireOpen();
    for (const id of ids) {
      const own = this.#entries.get(nameOf({ collection, id }));
      if (own !== undefined) own.isRemoved = true;
    }
    this.#steps.push({ kind: 'remove', collection, ids });
  }

  /** The entries of a collection that this transaction removes. */
  removed(collection: string): readonly number[] {
    return [...this.#entries.values()].flatMap(({ key, isRemoved }) =>
      key.collection === collection && isRemoved === true ? [key.id] : [],
    );
  }

  /** Adds steps that follow the commit, and what the caches of all processes have to know then. */
  after(steps: readonly AfterStep[], changes: readonly Change[] = []): void {
    this.#steps.push(...steps);
    this.#changes.push(...changes);
  }

  /** Adds receipts of its writes, which are stored by the commit. */
  sign(receipts: readonly EntryReceipt[]): void {
    this.#receipts.push(...receipts);
  }

  /** Statements follow each other, even if they are begun at the same time. */
  inTurn<T>(statement: () => Promise<T>): Promise<T> {
    const next = this.#lastStatement.then(statement, statement);
    this.#lastStatement = next.catch(() => undefined);
    return next;
  }

  /**
   * Runs work after the commit, in order, or after the abort, in reverse. `commit` and `abort` run all of it, then
   * throw its first error.
   */
  onCommit(work: () => unknown): void {
    this.#onCommit.push(work);
  }

  onAbort(work: () => unknown): void {
    this.#onAbort.push(work);
  }

  /**
   * Makes everything happen. When it resolves, all steps are done and no lock is left.
   * @throws Locked if another process has aborted it; AppError unavailable if the outcome is not known: it is found out
   * soon; what follows it
   */
  async commit(): Promise<void> {
    if (this.#state === 'committed') return;
    if (this.#state !== 'open') {
      // A statement failed, and the work went on.
      await this.abort();
      throw new Locked();
    }
    if (this.#begun !== undefined || this.#steps.length > 0) await translated(() => this.#commitRecord());
    this.#leave('committed');
    if (this.#begun !== undefined) await this.#end(() => this.#finish());
    await runAll(this.#onCommit);
  }

  async #commitRecord(): Promise<void> {
    await this.begin();
    const [steps, changes] = [this.#steps, this.#changes];
    const $set = {
      state: 'committed' as const,
      ...(steps.length > 0 && { after: encodeSteps(steps) }),
      ...(changes.length > 0 && { changes }),
      ...(this.#receipts.length > 0 && { receipts: this.#receipts }),
    };
    const update = { $set, $currentDate: { at: true as const } };
    const filter = { _id: this.id, state: 'open' as const };
    const { matchedCount } = await this.#records.updateOne(filter, update, systemCommandOptions).catch((error) => {
      this.#leave('unclear');
      this.#isUnclear = true;
      this.#parts.heartbeat.interrupted(this.id, () => this.#endUnclear(), error);
      this.#leaveQueue();
      throw error;
    });
    if (matchedCount > 0) return;
    this.#isUnclear = true;
    await this.abort();
    throw new Locked();
  }

  /** Undoes everything. It does nothing after the end. Errors are repaired soon. @throws what follows it */
  async abort(): Promise<void> {
    if (this.#state !== 'open' && this.#state !== 'failed') return;
    this.#leave('aborted');
    if (this.#begun !== undefined) {
      this.#parts.counts.aborts += 1;
      await this.#end(() => this.#undo());
    }
    await runAll(this.#onAbort.toReversed());
  }

  /** Does what follows the end; repeated soon if an error interrupts it. */
  async #end(work: () => Promise<void>): Promise<void> {
    const { heartbeat } = this.#parts;
    try {
      await work();
      heartbeat.ended(this.id);
    } catch (error) {
      heartbeat.interrupted(this.id, work, error);
    }
    this.#leaveQueue();
  }

  async #finish(): Promise<void> {
    const { settling, patience, receipts } = this.#parts;
    const isFirst = !this.#hasFinished;
    this.#hasFinished = true;
    const after = { steps: this.#steps, changes: this.#changes };
    await settling.release(this.id, after, keysLockedBy(this.id, this.#entries.values()), isFirst);
    // Otherwise it could wait for a transaction that waits for it.
    this.#leaveQueue();
    if (!(await settling.retrySkippedSteps(this.id, after, patience))) throw new Locked();
    const forget = (): Promise<void> => settling.deleteOwnRecord(this.id, after);
    if (this.#receipts.length > 0 && receipts !== undefined) receipts.committed(this.#receipts, forget);
    else await forget();
  }

  async #undo(): Promise<void> {
    const { settling } = this.#parts;
    const aborting = { $set: { state: 'aborted' as const }, $currentDate: { at: true as const } };
    const filter = { _id: this.id, state: 'open' as const };
    const { matchedCount } = await this.#records.updateOne(filter, aborting, systemCommandOptions);
    this.#isTakenOver = matchedCount === 0;
    // A commit without an answer may have arrived in the meantime.
    if (this.#isTakenOver && (await this.#findState()) === 'committed') return this.#finish();
    await settling.undo(this.id, keysLockedBy(this.id, this.#entries.values()));
    // What is still on its way finds the record, and is undone later.
    if (!this.#isUnclear) await settling.forget(this.id);
  }

  /** Ends a transaction whose commit had no answer. Only this process deletes its record: without one it has ended. */
  async #endUnclear(): Promise<void> {
    if ((await this.#findState()) !== undefined) await this.#undo();
  }

  async #findState(): Promise<StoredTransaction['state'] | undefined> {
    const options = { ...systemCommandOptions, projection: { state: 1 }, readPreference: 'primary' } as const;
    return (await this.#records.findOne({ _id: this.id }, options))?.state;
  }

  #leave(state: 'committed' | 'aborted' | 'unclear'): void {
    this.#state = state;
    this.#parts.ended();
  }

  #leaveQueue(): void {
    const { queue } = this.#parts;
    queue.touch(this.id);
    for (const name of this.#entries.keys()) queue.leave(name, this.id);
  }

  #requireOpen(): void {
    if (this.#state !== 'open') throw new Locked();
  }

  /** Notes that a command without an answer may still be executed. */
  async #noting<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (!isRefusal(error) && !(error instanceof Locked)) this.#isUnclear = true;
      throw error;
    }
  }
}
