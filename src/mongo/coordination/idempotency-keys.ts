import type { Collection, Db } from 'mongodb';
import { AppError } from '../../errors/app-error.js';
import { duplicateOf, translated } from '../errors.js';
import { systemCommandOptions } from '../read/time-limits.js';
import type { Transaction } from '../transactions/transaction.js';
import type { Transactions } from '../transactions/transactions.js';

/** The response to a request: its text, and its status if that is not 200. */
export interface RecordedAnswer {
  readonly body: string;
  readonly status?: number | undefined;
}

interface Answer {
  readonly recorded: RecordedAnswer;
  /** The request was executed before. */
  readonly isRepeated: boolean;
}

interface StoredKey {
  readonly _id: string;
  readonly request: string;
  /** When the key was first used, by the clock of the database. */
  readonly at: Date;
  /** The transaction that executes the request. */
  readonly by: string;
  /** The response, once it is committed. */
  readonly body?: string;
  readonly status?: number;
}

/** The response to a request that was executed. */
export interface Executed extends RecordedAnswer {
  /** Recorded in place of one that is too long. */
  readonly shortened: string;
}

/** Milliseconds for which a key is kept, and between two deletions of expired ones. */
const [KEPT, SWEEP] = [86_400_000, 60_000];
/** Attempts to begin while others finish with the same key. */
const ATTEMPTS = 10;
/** Characters of a response that is recorded: a document holds 16 MB. */
const MAX_BODY = 4_000_000;
const COLLECTION = '_idempotency_keys';

const ANOTHER_REQUEST = 'Another request has this Idempotency-Key, or the permissions have changed since';

const isExpired = { $lt: ['$at', { $subtract: ['$$NOW', KEPT] }] };

/** Keys by which clients repeat a request that creates entries, in the `_idempotency_keys` collection. */
export class IdempotencyKeys {
  readonly #keys: Collection<StoredKey>;
  readonly #transactions: Transactions;
  #swept = -Infinity;

  constructor(db: Db, transactions: Transactions) {
    this.#keys = db.collection(COLLECTION);
    this.#transactions = transactions;
  }

  /**
   * Executes a request with a key once, in one transaction with the record of its response.
   * @param request a hash of all that the request contains
   * @param execute returns the response
   * @throws AppError unprocessable for the key of another request, conflict, unavailable; the errors of the request
   */
  async once(key: string, request: string, execute: () => Promise<Executed>): Promise<Answer> {
    const transaction = this.#transactions.open();
    const recorded = await translated(async () => {
      await this.#transactions.finishInterrupted();
      await this.#sweep();
      await transaction.begin();
      return this.#begin(key, request, transaction.id);
    }).catch(async (error: unknown) => {
      await transaction.abort();
      throw error;
    });
    if (recorded === undefined) return { recorded: await this.#execute(key, transaction, execute), isRepeated: false };
    await transaction.abort();
    return { recorded, isRepeated: true };
  }

  /** Not every supported database has TTL indexes. */
  async #sweep(): Promise<void> {
    if (performance.now() - this.#swept < SWEEP) return;
    const isFirst = this.#swept === -Infinity;
    this.#swept = performance.now();
    if (isFirst) await this.#keys.createIndex({ at: 1 });
    await this.#keys.deleteMany({ $expr: isExpired }, systemCommandOptions);
  }

  /** The recorded response; undefined: the key is ours. @throws AppError unprocessable, conflict */
  async #begin(key: string, request: string, by: string): Promise<RecordedAnswer | undefined> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const stored = await this.#claim(key, request, by);
      if (stored.by === by) return undefined;
      if (stored.request !== request) throw new AppError('unprocessable', ANOTHER_REQUEST);
      if (stored.body !== undefined) return { body: stored.body, status: stored.status };
      if (!(await this.#transactions.hasEnded(stored.by))) break;
      // If it was committed, the response is recorded now.
      if (await this.#takeOver(stored, by)) return undefined;
    }
    throw new AppError('conflict', 'The request with this Idempotency-Key is still being executed');
  }

  /** The record of the key, which is ours if nobody used the key. */
  async #claim(_id: string, request: string, by: string): Promise<StoredKey> {
    const isFree = { $or: [{ $eq: [{ $type: '$by' }, 'missing'] }, isExpired] };
    const own = { _id, request: { $literal: request }, at: '$$NOW', by };
    const update = [{ $replaceWith: { $cond: [isFree, own, '$$ROOT'] } }];
    const options = { ...systemCommandOptions, upsert: true, returnDocument: 'after' } as const;
    const claim = async () => (await this.#keys.findOneAndUpdate({ _id }, update, options)) as StoredKey;
    return claim().catch((error: unknown) => {
      if (duplicateOf(error) === undefined) throw error;
      return claim();
    });
  }

  /** Gives the key of a transaction that was aborted to another one. */
  async #takeOver({ _id, by }: StoredKey, next: string): Promise<boolean> {
    const filter = { _id, by, body: { $exists: false } };
    return (await this.#keys.updateOne(filter, { $set: { by: next } }, systemCommandOptions)).matchedCount > 0;
  }

  async #execute(key: string, transaction: Transaction, work: () => Promise<Executed>): Promise<RecordedAnswer> {
    const own = { _id: key, by: transaction.id, body: { $exists: false } };
    try {
      const { body, shortened, status } = await this.#transactions.within(transaction, work);
      const recorded = body.length > MAX_BODY ? shortened : body;
      transaction.after([
        {
          kind: 'update',
          collection: COLLECTION,
          filter: own,
          update: { $set: { body: recorded, ...(status !== undefined && { status }) } },
        },
      ]);
      await transaction.commit();
      return { body, status };
    } catch (error) {
      await transaction.abort();
      if (transaction.state === 'aborted') await this.#keys.deleteOne(own, systemCommandOptions).catch(() => undefined);
      throw error;
    }
  }
}
