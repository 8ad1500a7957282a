import type { Db } from 'mongodb';
import { repeat } from '../coordination/repeat.js';
import { systemCommandOptions } from '../read/time-limits.js';
import { TRANSACTIONS, type StoredTransaction } from './format.js';
import { Locked } from './wait.js';

/** Milliseconds: a process renews its transactions, and repeats what an error interrupted. */
const INTERVAL_MS = 1500;

/**
 * The recorded transactions of this process: it renews those that are open, and repeats the end of those that an error
 * interrupted.
 */
export class Heartbeat {
  readonly #db: Db;
  readonly #longest: number;
  /** When those that are renewed began. */
  readonly #begun = new Map<string, number>();
  readonly #interrupted = new Map<string, () => Promise<void>>();
  /** Those that wait for entries which others have locked. */
  readonly #waiting = new Map<string, () => Promise<void>>();
  /** They stop the renewals, and the repetition of ends: two of them, so that an end that hangs delays no renewal. */
  #stops: readonly (() => Promise<void>)[] = [];
  #finishing: Promise<void> | undefined;

  /**
   * @param longest milliseconds for which a transaction is renewed: code that never ends would lock its entries for
   * ever
   */
  constructor(db: Db, longest: number) {
    this.#db = db;
    this.#longest = longest;
  }

  /** A transaction gets a record, which is renewed until its end. */
  begun(id: string): void {
    this.#begun.set(id, performance.now());
    this.#start();
  }

  ended(id: string): void {
    for (const ids of [this.#begun, this.#interrupted, this.#waiting]) ids.delete(id);
    if (this.#begun.size + this.#interrupted.size + this.#waiting.size === 0) this.stop();
  }

  /** Transactions that are left behind are ended by another process, as if this one had died. */
  stop(): void {
    for (const stop of this.#stops) void stop();
    this.#stops = [];
  }

  /**
   * An error has interrupted the end of a transaction: it is repeated, before the next write unless it waits for
   * others.
   */
  interrupted(id: string, end: () => Promise<void>, error: unknown): void {
    this.#begun.delete(id);
    (error instanceof Locked ? this.#waiting : this.#interrupted).set(id, end);
    this.#start();
  }

  /** Repeats the interrupted ends, e.g. before the next write of this process. @throws AppError unavailable */
  async finishInterrupted(): Promise<void> {
    if (this.#interrupted.size === 0) return;
    this.#finishing ??= this.#endAll().finally(() => {
      this.#finishing = undefined;
    });
    await this.#finishing;
  }

  async #endAll(): Promise<void> {
    for (const [id, end] of this.#interrupted) await this.#repeat(id, end);
  }

  async #retry(): Promise<void> {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const [id, end] of waiting) await this.#repeat(id, end).catch(() => undefined);
  }

  /** @throws the error, unless others have locked what it waits for */
  async #repeat(id: string, end: () => Promise<void>): Promise<void> {
    try {
      await end();
      this.ended(id);
    } catch (error) {
      this.#interrupted.delete(id);
      this.interrupted(id, end, error);
      if (!(error instanceof Locked)) throw error;
    }
  }

  #start(): void {
    if (this.#stops.length > 0) return;
    const works = [() => this.#renew(), () => this.#endInterrupted()];
    this.#stops = works.map((work) => repeat(INTERVAL_MS, work, () => undefined));
  }

  async #renew(): Promise<void> {
    const earliest = performance.now() - this.#longest;
    const ids = [...this.#begun].flatMap(([id, start]) => (start > earliest ? [id] : []));
    if (ids.length === 0) return;
    const filter = { _id: { $in: ids }, state: 'open' as const };
    const renewal = { $currentDate: { at: true as const } };
    await this.#db.collection<StoredTransaction>(TRANSACTIONS).updateMany(filter, renewal, systemCommandOptions);
  }

  async #endInterrupted(): Promise<void> {
    await Promise.all([this.finishInterrupted(), this.#retry()]);
  }
}
