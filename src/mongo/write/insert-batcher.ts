import type { Collection, Db, Document } from 'mongodb';
import { AppError } from '../../errors/app-error.js';
import { EVENTS, INSERT_LIMIT, type StoredEvent, type UnstoredEvent } from '../events/stored-events.js';
import { fitTogether, insertTogether } from './insert-together.js';
import { refusedInBulk } from './refused-in-bulk.js';
import { coalesce } from '../coordination/coalesce.js';

export type Entry = Document & { readonly _id: number };

/** The event of a new entry; undefined if it has none. @throws AppError unavailable */
export type PrepareEvent = () => Promise<UnstoredEvent | undefined>;

/**
 * Inserts an entry into a collection, after its event or with it: if that cannot be recorded, the entry is not inserted.
 * @throws the driver's error, see `duplicateOf`
 */
export type Insert = (collection: string, entry: Entry, prepareEvent?: PrepareEvent) => Promise<void>;

interface Request {
  readonly entry: Entry;
  readonly event: UnstoredEvent | undefined;
}

interface Log {
  /** @throws AppError unavailable */
  insert(documents: readonly StoredEvent[]): Promise<void>;
  /** Whether one command can insert events and entries. */
  isJoined(): boolean;
}

/** Of entries that have no events. */
const noLog: Log = { insert: () => Promise.reject(new AppError('unavailable')), isJoined: () => false };

/** Concurrent inserts into the same collection share one command, and so do their events. `timeout` limits it, in milliseconds. */
export function createInsertBatcher(db: Db, timeout: number, log = noLog): Insert {
  const byName = new Map<string, (request: Request) => Promise<Outcome>>();
  const insertBoth = async (name: string, requests: readonly Request[]): Promise<readonly Outcome[]> => {
    const collection = db.collection<Entry>(name);
    const entries = requests.map(({ entry }) => entry);
    const events = requests.flatMap(({ event }) => event ?? []);
    if (events.length === 0) return insertAll(collection, entries, timeout);
    let isAnswered = false;
    try {
      if (!events.every((event) => event.isValid())) throw new AppError('unavailable');
      const inserted = [
        ...events.map(({ document }) => ({ collection: EVENTS, document })),
        ...entries.map((document) => ({ collection: name, document })),
      ];
      if (log.isJoined() && fitTogether(inserted)) {
        const { refused, confirmed } = await insertTogether(db, inserted, Math.min(timeout, INSERT_LIMIT));
        isAnswered = true;
        return entries.map((_, index) => outcomeOf(refused.has(events.length + index), confirmed));
      }
      await log.insert(events.map(({ document }) => document));
      isAnswered = true;
      if (!events.every((event) => event.isValid())) throw new AppError('unavailable');
    } finally {
      for (const event of events) event.end(isAnswered);
    }
    return insertAll(collection, entries, timeout);
  };
  return async (name, entry, prepareEvent) => {
    const insert = byName.get(name) ?? coalesce((requests: readonly Request[]) => insertBoth(name, requests));
    byName.set(name, insert);
    const outcome = await insert({ entry, event: await prepareEvent?.() });
    if (outcome === 'unconfirmed') throw new AppError('unavailable');
    // Executed alone it is refused for the same reason, with its own error.
    if (outcome === 'refused') await db.collection<Entry>(name).insertOne(entry, { maxTimeMS: timeout });
  };
}

/** Records the event of a new entry that a transaction inserts. @throws AppError unavailable */
export async function recordAlone(log: Pick<Log, 'insert'>, prepareEvent: PrepareEvent): Promise<void> {
  const event = await prepareEvent();
  if (event === undefined) return;
  let isAnswered = false;
  try {
    await log.insert([event.document]);
    isAnswered = true;
    if (!event.isValid()) throw new AppError('unavailable');
  } finally {
    event.end(isAnswered);
  }
}

/** The outcome of an entry in a bulk; unconfirmed: it may or may not be stored. */
type Outcome = 'stored' | 'refused' | 'unconfirmed';

const outcomeOf = (isRefused: boolean, confirmed: boolean): Outcome =>
  isRefused ? 'refused' : confirmed ? 'stored' : 'unconfirmed';

async function insertAll(
  collection: Collection<Entry>,
  entries: readonly Entry[],
  timeout: number,
): Promise<readonly Outcome[]> {
  try {
    await collection.insertMany(entries, { ordered: false, maxTimeMS: timeout });
    return entries.map(() => 'stored');
  } catch (error) {
    const { refused, confirmed } = refusedInBulk(error);
    return entries.map((_, index) => outcomeOf(refused.has(index), confirmed));
  }
}
