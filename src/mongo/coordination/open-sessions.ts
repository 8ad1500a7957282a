import type { Collection, Db } from 'mongodb';
import { duplicateOf, translated } from '../errors.js';
import { systemCommandOptions } from '../read/time-limits.js';

/** A log-in that its user sees in a list, and can end. */
export interface OpenSession {
  readonly id: string;
  readonly since: Date;
  /** The user has said last that it is theirs: what ends earlier tokens of the user ends a session of before. */
  readonly approvedAt: Date;
  /** Its token is good until then. */
  readonly until: Date;
  /** The id of the role that the user had; null: none. */
  readonly role: number | null;
  /** Names of a closed table; null: unknown. */
  readonly browser: string | null;
  readonly system: string | null;
}

/** One document per user: a request reads it by its id, and one command keeps the number of sessions limited. */
interface StoredUser {
  readonly _id: number;
  /** The latest first. */
  readonly sessions: readonly OpenSession[];
  /** The end of the last one. */
  readonly until: Date;
}

/** Sessions of a user: the oldest ends when there is one more. */
const MOST_SESSIONS = 20;
/** Milliseconds between two deletions of users whose sessions have all run out. */
const SWEEP_MS = 3_600_000;

/**
 * The sessions of users, in the `_sessions` collection. No process keeps any of it, so that one that is ended ends
 * everywhere.
 */
export class OpenSessions {
  readonly #users: Collection<StoredUser>;
  #swept = -Infinity;

  constructor(db: Db) {
    this.#users = db.collection('_sessions');
  }

  /** Begins a session, and forgets those that have run out. @throws AppError unavailable */
  begin(user: number, session: OpenSession): Promise<void> {
    return translated(async () => {
      const now = new Date();
      await this.#sweep(now);
      const input = { $ifNull: ['$sessions', []] };
      const others = { $filter: { input, as: 'one', cond: { $gt: ['$$one.until', now] } } };
      const sessions = { $slice: [{ $concatArrays: [[{ $literal: session }], others] }, MOST_SESSIONS] };
      const update = [{ $set: { sessions, until: { $max: ['$until', session.until] } } }];
      const write = (): Promise<unknown> =>
        this.#users.updateOne({ _id: user }, update, { ...systemCommandOptions, upsert: true });
      await write().catch((error: unknown) => {
        // Two sessions of a user begin at the same time.
        if (duplicateOf(error) === undefined) throw error;
        return write();
      });
    });
  }

  /** The sessions of a user, the latest first, as they are now in the database. @throws AppError unavailable */
  of(user: number): Promise<readonly OpenSession[]> {
    return translated(async () => {
      const options = { ...systemCommandOptions, readPreference: 'primary' } as const;
      return (await this.#users.findOne({ _id: user }, options))?.sessions ?? [];
    });
  }

  /** Ends sessions of a user: afterwards no process takes their tokens. @throws AppError unavailable */
  end(user: number, ids: readonly string[]): Promise<void> {
    return translated(async () => {
      const cond = { $and: ids.map((id) => ({ $ne: ['$$one.id', { $literal: id }] })) };
      const sessions = { $filter: { input: '$sessions', as: 'one', cond } };
      await this.#users.updateOne({ _id: user }, [{ $set: { sessions } }], systemCommandOptions);
    });
  }

  /** Ends all sessions of a user but one, which the user approves. @throws AppError unavailable */
  endOthers(user: number, id: string, approvedAt: Date): Promise<void> {
    return translated(async () => {
      const one = { $filter: { input: '$sessions', as: 'one', cond: { $eq: ['$$one.id', { $literal: id }] } } };
      const sessions = { $map: { input: one, as: 'one', in: { $mergeObjects: ['$$one', { approvedAt }] } } };
      await this.#users.updateOne({ _id: user }, [{ $set: { sessions } }], systemCommandOptions);
    });
  }

  /** Not every supported database has TTL indexes. */
  async #sweep(now: Date): Promise<void> {
    if (performance.now() - this.#swept < SWEEP_MS) return;
    this.#swept = performance.now();
    await this.#users.deleteMany({ until: { $lt: now } }, systemCommandOptions);
  }
}
