import { randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { AppError } from '../../errors/app-error.js';
import { duplicateOf, translated } from '../errors.js';
import { systemCommandOptions } from '../read/time-limits.js';
import { isUnfinished } from '../write/batch/undecided.js';

/** Keys by which clients repeat a request that creates entries. */
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

/** The execution of a request with a key. The id of its entry, or its batch, is recorded before anything is stored. */
export interface KeyUse {
  readonly key: string;
  /** The recorded id: of the entry that an interrupted execution stored, or may have stored. */
  id(): number | undefined;
  /** What the response shows of a batch that an interrupted execution did, as recorded. */
  entries(): readonly unknown[] | undefined;
  /** @throws AppError unavailable if another process took over */
  reserve(id: number): Promise<void>;
  /**
   * Records a batch whose intent is recorded, but not executed.
   * @param entries what the response will show
   * @throws AppError unavailable if another process took over
   */
  recordBatch(id: string, entries: readonly unknown[]): Promise<void>;
  /** Nothing is stored under the recorded id, or of the batch. Returns whether no other process can use it. */
  drop(): Promise<boolean>;
  /** Records the response; undefined: it is too long, so a repetition reads the entry. */
  finish(body: string | undefined): Promise<void>;
  /** Ends with an error. If neither an id nor a batch is recorded the key can be used again. */
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
  readonly batch?: StoredBatch;
  readonly body?: string;
}

interface StoredBatch {
  /** Of its intent. */
  readonly id: string;
  /** As JSON. */
  readonly entries: string;
  readonly done?: true;
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
/** Characters of the entries of a batch that are kept with its key. */
const MAX_ENTRIES = 2 ** 18;
const COLLECTION = '_idempotency_keys';
const missing = { $exists: false } as const;

/** Stores with a key that its batch is done, before the intent of the batch is removed. */
export async function recordDone(db: Db, key: string, batch: string): Promise<void> {
  const done = { $set: { 'batch.done': true } } as const;
  await db.collection<StoredKey>(COLLECTION).updateOne({ _id: key, 'batch.id': batch }, done, systemCommandOptions);
}

/** Idempotency keys in the `_idempotency_keys` collection. */
export function openIdempotencyKeys(db: Db, { abandoned, recover }: KeyOptions): IdempotencyKeys {
  const keys = db.collection<StoredKey>(COLLECTION);
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
      return { kind: 'begun', use: executing(keys, { _id, by }) };
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
    const { batch, entry } = stored;
    const done = batch?.done === true ? batch : undefined;
    if (batch !== undefined && done === undefined) {
      await recover();
      if (await isUnfinished(db, batch.id)) return { kind: 'busy' };
    }
    const isSameBatch = { 'batch.id': batch?.id ?? missing, 'batch.done': batch?.done ?? missing };
    const isTaken = { _id, by: stored.by, renewed: stored.renewed, ...isSameBatch };
    // A batch that is neither done nor in progress was undone.
    const update = { $set: { by, renewed: now }, ...(done === undefined && { $unset: { batch: 1 as const } }) };
    const { matchedCount } = await keys.updateOne(isTaken, update, systemCommandOptions);
    if (matchedCount === 0) return undefined;
    if (entry !== undefined) await recover();
    return { kind: 'begun', use: executing(keys, { _id, by }, { entry, batch: done }) };
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

function executing(
  keys: Collection<StoredKey>,
  own: Pick<StoredKey, '_id' | 'by'>,
  { entry, batch }: { readonly entry?: number | undefined; readonly batch?: StoredBatch | undefined } = {},
): KeyUse {
  let id = entry;
  const renewing = setInterval(() => void set({ renewed: new Date() }).catch(() => undefined), RENEWAL);
  renewing.unref();
  const set = async (values: Partial<StoredKey>): Promise<boolean> =>
    (await keys.updateOne(own, { $set: values }, systemCommandOptions)).matchedCount > 0;
  const record = (values: Partial<StoredKey>): Promise<void> =>
    translated(async () => {
      if (!(await set(values))) throw new AppError('unavailable');
    });
  return {
    key: own._id,
    id: () => id,
    entries: () => batch && (JSON.parse(batch.entries) as readonly unknown[]),
    reserve: async (reserved) => {
      await record({ entry: reserved });
      id = reserved;
    },
    recordBatch: (batchId, entries) => record({ batch: { id: batchId, entries: shortened(entries) } }),
    drop: async () => {
      try {
        const { matchedCount } = await keys.updateOne(own, { $unset: { entry: 1, batch: 1 } }, systemCommandOptions);
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
      const isUnused = { ...own, entry: missing, batch: missing };
      await keys.deleteOne(isUnused, systemCommandOptions).catch(() => undefined);
    },
  };
}

/** What the response to a batch shows as JSON; if that is too long, only the ids. */
function shortened(entries: readonly unknown[]): string {
  const json = JSON.stringify(entries);
  return json.length <= MAX_ENTRIES
    ? json
    : JSON.stringify(entries.map((entry) => (typeof entry === 'number' ? entry : null)));
}
