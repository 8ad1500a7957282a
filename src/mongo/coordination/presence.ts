import type { Collection, Db } from 'mongodb';
import { duplicateOf, translated } from '../errors.js';
import { systemCommandOptions } from '../read/time-limits.js';

/** What a user has open in one place, such as a tab of a browser. */
export interface Presence {
  readonly user: number;
  /** Chosen by the client: a user can have several. */
  readonly session: string;
  /** What is open there; a session is at one subject at a time. */
  readonly subject: string;
  readonly isChanging: boolean;
}

/** A user who has a subject open, in one or more sessions. */
export interface PresentUser {
  readonly user: number;
  readonly isChanging: boolean;
}

interface StoredSession extends Omit<Presence, 'user'> {
  /** Its last renewal, by the clock of the database. */
  readonly at: Date;
}

/**
 * One document per user, so that one command renews a session, forgets those that have expired, and keeps their number
 * limited.
 */
interface StoredUser {
  readonly _id: number;
  readonly sessions: readonly StoredSession[];
  /** The last renewal of any of them. */
  readonly at: Date;
}

/** Milliseconds for which a session counts without being renewed, and between two deletions of expired ones. */
const [KEPT_MS, SWEEP_MS] = [50_000, 60_000];
/** Sessions of a user that are kept: those that were renewed last. */
const MOST_SESSIONS = 20;
/** Users of a subject that are named. */
const MOST_USERS = 20;

const expiry = { $subtract: ['$$NOW', KEPT_MS] };
/** The sessions of a stored user but one. */
const sessionsExcept = (session: string, ...conditions: readonly object[]): object => ({
  $filter: {
    input: { $ifNull: ['$sessions', []] },
    as: 'one',
    cond: { $and: [{ $ne: ['$$one.session', { $literal: session }] }, ...conditions] },
  },
});

/** Which users have something open at the moment, in the `_presence` collection, by the clock of the database. */
export class PresentUsers {
  readonly #users: Collection<StoredUser>;
  #swept = -Infinity;

  constructor(db: Db) {
    this.#users = db.collection('_presence');
  }

  /** Says, for less than a minute, that a user has something open. */
  announce({ user, ...session }: Presence): Promise<void> {
    return translated(async () => {
      await this.#sweep();
      const renewed = { ...literals(session), at: '$$NOW' };
      const others = sessionsExcept(session.session, { $gt: ['$$one.at', expiry] });
      const sessions = { $slice: [{ $concatArrays: [[renewed], others] }, MOST_SESSIONS] };
      const update = [{ $set: { sessions, at: '$$NOW' } }];
      const write = (): Promise<unknown> =>
        this.#users.updateOne({ _id: user }, update, { ...systemCommandOptions, upsert: true });
      await write().catch((error: unknown) => {
        // Two sessions of a user begin at the same time.
        if (duplicateOf(error) === undefined) throw error;
        return write();
      });
    });
  }

  /** Says that a session of the user has ended. */
  leave(user: number, session: string): Promise<void> {
    return translated(async () => {
      const update = [{ $set: { sessions: sessionsExcept(session) } }];
      await this.#users.updateOne({ _id: user }, update, systemCommandOptions);
    });
  }

  /** The users who have a subject open, without the session that asks. */
  at({ user, session, subject }: Omit<Presence, 'isChanging'>): Promise<readonly PresentUser[]> {
    return translated(async () => {
      const pipeline = [
        { $match: { 'sessions.subject': subject } },
        { $unwind: '$sessions' },
        {
          $match: {
            'sessions.subject': subject,
            $nor: [{ _id: user, 'sessions.session': session }],
            $expr: { $gt: ['$sessions.at', expiry] },
          },
        },
        { $group: { _id: '$_id', isChanging: { $max: '$sessions.isChanging' } } },
        { $sort: { _id: 1 } },
        { $limit: MOST_USERS },
      ];
      const options = { ...systemCommandOptions, readPreference: 'primary' } as const;
      const found = await this.#users
        .aggregate<{ readonly _id: number; readonly isChanging: boolean }>(pipeline, options)
        .toArray();
      return found.map(({ _id, isChanging }) => ({ user: _id, isChanging }));
    });
  }

  /** Not every supported database has TTL indexes. */
  async #sweep(): Promise<void> {
    if (performance.now() - this.#swept < SWEEP_MS) return;
    const isFirst = this.#swept === -Infinity;
    this.#swept = performance.now();
    if (isFirst) await this.#users.createIndex({ 'sessions.subject': 1 });
    await this.#users.deleteMany({ $expr: { $lt: ['$at', expiry] } }, systemCommandOptions);
  }
}

/** Values of clients, which are no expressions. */
const literals = (values: object): object =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { $literal: value }]));
