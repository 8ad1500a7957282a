import { randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { AppError } from '../../errors/app-error.js';
import { duplicateOf, translated } from '../errors.js';
import { systemCommandOptions } from '../read/time-limits.js';

/** Keys by which clients repeat a request that creates an entry. */
export interface IdempotencyKeys {
  /**
   * Starts a request with a key.
   * @param request a hash of all that the request contains
   * @throws AppError unavailable
   */
  begin(key: string, request: string): Promise<Begun>;
}

export type Begun =
  /** The key belongs to another request. */
  | { readonly kind: 'other' }
  /** The same request is being executed, or its process died a short time ago. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'answered'; readonly body: string }
  | { readonly kind: 'begun'; readonly use: KeyUse };

/** The execution of a request with a key. The id of its entry is recorded before the entry is stored. */
export interface KeyUse {
  /** The recorded id: of the entry that an interrupted execution stored, or may have stored. */
  id(): number | undefined;
  /** @throws AppError unavailable if another process took over */
  reserve(id: number): Promise<void>;
  /** Nothing is stored under the recorded id. Returns whether no other process can use it. */
  drop(): Promise<boolean>;
  /** Records the response; undefined: it is too long, so a repetition reads the entry. */
  finish(body: string | undefined): Promise<void>;
  /** Ends with an error. If no id is recorded the key can be used again. */
  fail(): Promise<void>;
}

interface StoredKey {
  readonly _id: string;
  readonly request: string;
  /** When the key was first used. */
  readonly at: Date;
  /** The process that executes the request, and its last heartbeat. */
  readonly by: string;
  readonly renewed: Date;
  readonly entry?: number;
  readonly body?: string;
}

interface KeyOptions {
  /** Milliseconds without a heartbeat after which the writes of a process are abandoned. */
  readonly abandoned: number;
  /** Completes abandoned writes. */
  readonly recover: () => Promise<unknown>;
}

/** Milliseconds for which a key is kept. */
const KEPT = 86_400_000;
const RENEWAL = 15_000;
const SWEEP = 60_000;
/** The last heartbeat of a key can be earlier than that of the writes of its request. */
const MARGIN = 30_000;
/** Attempts to begin while others finish with the same key. */
const ATTEMPTS = 10;

/** Idempotency keys in the `_idempotency_keys` collection. */
export function openIdempotencyKeys(db: Db, { abandoned, recover }: KeyOptions): IdempotencyKeys {
  const keys = db.collection<StoredKey>('_idempotency_keys');
  let swept = -Infinity;
  /** Not every supported database has TTL indexes. */
  const sweep = async (): Promise<void> => {
    if (performance.now() - swept < SWEEP) return;
    const isFirst = swept === -Infinity;
    swept = performance.now();
    if (isFirst) await keys.createIndex({ at: 1 });
    await keys.deleteMany({ at: { $lt: new Date(Date.now() - KEPT) } }, systemCommandOptions);
  };
  const insert = async (key: StoredKey): Promise<boolean> => {
    try {
      await keys.insertOne(key, systemCommandOptions);
      return true;
    } catch (error) {
      if (duplicateOf(error) === undefined) throw error;
      return false;
    }
  };
  /** Undefined: try again, the key was released. */
  const begin = async (_id: string, request: string): Promise<Begun | undefined> => {
    const now = new Date();
    const by = randomUUID();
    if (await insert({ _id, request, at: now, by, renewed: now })) {
      return { kind: 'begun', use: executing(keys, _id, by, undefined) };
    }
    const stored = await keys.findOne({ _id }, systemCommandOptions);
    if (stored === null) return undefined;
    if (stored.at.getTime() < now.getTime() - KEPT) {
      await keys.deleteOne({ _id, by: stored.by }, systemCommandOptions);
      return undefined;
    }
    if (stored.request !== request) return { kind: 'other' };
    if (stored.body !== undefined) return { kind: 'answered', body: stored.body };
    if (stored.renewed.getTime() > now.getTime() - abandoned - MARGIN) return { kind: 'busy' };
    const isTaken = { _id, by: stored.by, renewed: stored.renewed };
    const { matchedCount } = await keys.updateOne(isTaken, { $set: { by, renewed: now } }, systemCommandOptions);
    if (matchedCount === 0) return { kind: 'busy' };
    if (stored.entry !== undefined) await recover();
    return { kind: 'begun', use: executing(keys, _id, by, stored.entry) };
  };
  return {
    begin: (key, request) =>
      translated(async () => {
        await sweep();
        for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
          const begun = await begin(key, request);
          if (begun !== undefined) return begun;
        }
        return { kind: 'busy' };
      }),
  };
}

function executing(keys: Collection<StoredKey>, key: string, by: string, entry: number | undefined): KeyUse {
  const own = { _id: key, by };
  let id = entry;
  const renewing = setInterval(() => void set({ renewed: new Date() }).catch(() => undefined), RENEWAL);
  renewing.unref();
  const set = async (values: Partial<StoredKey>): Promise<boolean> =>
    (await keys.updateOne(own, { $set: values }, systemCommandOptions)).matchedCount > 0;
  return {
    id: () => id,
    reserve: (reserved) =>
      translated(async () => {
        if (!(await set({ entry: reserved }))) throw new AppError('unavailable');
        id = reserved;
      }),
    drop: async () => {
      try {
        const { matchedCount } = await keys.updateOne(own, { $unset: { entry: 1 } }, systemCommandOptions);
        if (matchedCount > 0) id = undefined;
        return matchedCount > 0;
      } catch {
        return false;
      }
    },
    finish: async (body) => {
      clearInterval(renewing);
      // The entry is stored: if this fails, a repetition finds it by its id.
      await set(body === undefined ? { renewed: new Date(0) } : { body }).catch(() => false);
    },
    fail: async () => {
      clearInterval(renewing);
      await keys.deleteOne({ ...own, entry: { $exists: false } }, systemCommandOptions).catch(() => undefined);
    },
  };
}
