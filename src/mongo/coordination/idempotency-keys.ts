import type { Collection, Db } from 'mongodb';
import { duplicateOf, translated } from '../errors.js';
import { systemCommandOptions } from '../read/time-limits.js';
import type { Transaction } from '../transactions/transaction.js';
import type { Transactions } from '../transactions/transactions.js';

type Outcome =
  /** The key belongs to another request. */
  | { readonly kind: 'other' }
  /** The request is being executed already, or its process died a short time ago. */
  | { readonly kind: 'busy' }
  /** The recorded response; undefined: it was too long. */
  | { readonly kind: 'answered'; readonly body: string | undefined }
  | { readonly kind: 'executed'; readonly body: string };

interface StoredKey {
  readonly _id: string;
  readonly request: string;
  /** When the key was first used, by the clock of the database. */
  readonly at: Date;
  /** The transaction that executes the request. */
  readonly by: string;
  /** The response, once it is committed; null: it is too long. */
  readonly body?: string | null;
}

/** Milliseconds for which a key is kept, and between two deletions of expired ones. */
const [KEPT, SWEEP] = [86_400_000, 60_000];
/** Attempts to begin while others finish with the same key. */
const ATTEMPTS = 10;
/** Characters of a response that is recorded: a document holds 16 MB. */
const MAX_BODY = 4_000_000;
const COLLECTION = '_idempotency_keys';

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
   * @throws AppError unavailable; the errors of the request
   */
  async once(key: string, request: string, execute: () => Promise<string>): Promise<Outcome> {
    const transaction = this.#transactions.open();
    const begun = await translated(async () => {
      await this.#transactions.settle();
      await this.#sweep();
      await transaction.begin();
      return this.#begin(key, request, transaction.id);
    }).catch(async (error: unknown) => {
      await transaction.abort();
      throw error;
    });
    if (begun === undefined) return { kind: 'executed', body: await this.#execute(key, transaction, execute) };
    await transaction.abort();
    return begun;
  }

  /** Not every supported database has TTL indexes. */
  async #sweep(): Promise<void> {
    if (performance.now() - this.#swept < SWEEP) return;
    const isFirst = this.#swept === -Infinity;
    this.#swept = performance.now();
    if (isFirst) await this.#keys.createIndex({ at: 1 });
    await this.#keys.deleteMany({ $expr: isExpired }, systemCommandOptions);
  }

  /** Undefined: the key is ours. */
  async #begin(key: string, request: string, by: string): Promise<Outcome | undefined> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const stored = await this.#claim(key, request, by);
      if (stored.by === by) return undefined;
      if (stored.request !== request) return { kind: 'other' };
      if (stored.body !== undefined) return { kind: 'answered', body: stored.body ?? undefined };
      if (!(await this.#transactions.hasEnded(stored.by))) return { kind: 'busy' };
      // If it was committed, the response is recorded now.
      if (await this.#takeOver(stored, by)) return undefined;
    }
    return { kind: 'busy' };
  }

  /** The record of the key, which is ours if nobody used the key. */
  async #claim(_id: string, request: string, by: string): Promise<StoredKey> {
    const isFree = { $or: [{ $eq: [{ $type: '$by' }, 'missing'] }, isExpired] };
    const own = { _id, request: { $literal: request }, at: '$$NOW', by };
    const update = [{ $replaceWith: { $cond: [isFree, own, '$$ROOT'] } }];
    const options = { ...systemCommandOptions, upsert: true, returnDocument: 'after' } as const;
    try {
      return (await this.#keys.findOneAndUpdate({ _id }, update, options)) as StoredKey;
    } catch (error) {
      if (duplicateOf(error) === undefined) throw error;
      return (await this.#keys.findOneAndUpdate({ _id }, update, options)) as StoredKey;
    }
  }

  /** Gives the key of a transaction that was aborted to another one. */
  async #takeOver({ _id, by }: StoredKey, next: string): Promise<boolean> {
    const filter = { _id, by, body: { $exists: false } };
    return (await this.#keys.updateOne(filter, { $set: { by: next } }, systemCommandOptions)).matchedCount > 0;
  }

  async #execute(key: string, transaction: Transaction, work: () => Promise<string>): Promise<string> {
    const own = { _id: key, by: transaction.id, body: { $exists: false } };
    try {
      const body = await this.#transactions.within(transaction, work);
      const recorded = body.length > MAX_BODY ? null : body;
      transaction.after([
        { kind: 'update', collection: COLLECTION, filter: own, update: { $set: { body: recorded } } },
      ]);
      await transaction.commit();
      return body;
    } catch (error) {
      await transaction.abort();
      if (transaction.state === 'aborted') await this.#keys.deleteOne(own, systemCommandOptions).catch(() => undefined);
      throw error;
    }
  }
}
