import { BSON, type Db, type Document, type ObjectId, WriteConcern } from 'mongodb';
import type { ContentType } from '../../content-types/model/types.js';
import { coalesce } from '../coordination/coalesce.js';
import { againIfLost, DUPLICATE_KEY, translated } from '../errors.js';
import { systemCommandOptions } from '../read/time-limits.js';
import { withoutFlush } from '../write/counters.js';

export type EventAction = 'create' | 'update' | 'delete';

/** A write that is about to be executed. */
export interface NewEvent {
  readonly type: Pick<ContentType, 'uid' | 'collectionName' | 'attributes'>;
  readonly id: number;
  readonly action: EventAction;
  /** The `updatedAt` that an update sets; recovery recognises it by this. */
  readonly written?: Date | undefined;
  /** The names of Strapi's events that webhooks receive; empty: none receives it. */
  readonly names: readonly string[];
  /** The entry as JSON, where it is available before the write. */
  readonly entry?: string | undefined;
  /** An entry that is deleted as JSON, with its `documentId`. */
  readonly document?: string | undefined;
  /** The write takes back that the entry is published. */
  readonly isUnpublished?: true | undefined;
}

/**
 * While the write is in progress an event has a `floor`, above which its position will be: readers pass no position
 * above that. Readers that have waited for long raise it; a position that was allocated before that does not count any
 * more.
 */
export interface StoredEvent extends Omit<NewEvent, 'type'> {
  readonly _id: ObjectId;
  readonly at: Date;
  readonly uid: string;
  readonly floor?: number;
  readonly n?: number;
  /** The stored entry before the write. */
  readonly before?: Document;
}

export interface Completion {
  readonly event: StoredEvent;
  readonly n: number;
  readonly entry: string | undefined;
}

/** What became of the completion of an event: its floor was raised before, or recovery has removed it. */
type Outcome = 'completed' | 'raised' | 'removed';

export const EVENTS = '_events';
export const PENDING = { floor: { $exists: true } } as const;

/** The writes of the log; those that are requested at the same time share a command. */
export function openStoredEvents(db: Db) {
  const events = db.collection<StoredEvent>(EVENTS);
  const unflushed = db.collection<StoredEvent>(EVENTS, withoutFlush(db));
  const $unset = { floor: '', written: '' } as const;
  return {
    insert: coalesce(async (added: readonly StoredEvent[]) => {
      for (const batch of batchesOf(added)) await insertAll(db, batch);
      return added.map(() => undefined);
    }),
    remove: coalesce(async (ids: readonly ObjectId[]) => {
      await translated(() => unflushed.deleteMany({ _id: { $in: [...ids] } }, systemCommandOptions));
      return ids.map(() => undefined);
    }),
    /** The lowest floor of all events whose write is in progress; undefined if there are none. */
    lowestFloor: async (): Promise<number | undefined> => {
      const options = { ...systemCommandOptions, readPreference: 'primary' } as const;
      const [event] = await events
        .find({ floor: { $gte: 0 } }, options)
        .sort({ floor: 1 })
        .limit(1)
        .toArray();
      return event?.floor;
    },
    /**
     * Raises the floor of events: of those that have a certain one, and of others that were recorded before a time.
     * Writes that follow may get lower positions, so readers read these entries as they are, but for deleted ones.
     */
    raise: async (floor: number, to: number, before: Date): Promise<void> => {
      const held = { $or: [{ floor }, { floor: { $gte: 0 }, at: { $lte: before } }] };
      const raising = (action: object, $unset: Document) => ({
        updateMany: { filter: { ...held, floor: { $lt: to }, action }, update: { $set: { floor: to }, $unset } },
      });
      const operations = [raising({ $eq: 'delete' }, { n: '' }), raising({ $ne: 'delete' }, { n: '', entry: '' })];
      await unflushed.bulkWrite(operations, { ...systemCommandOptions, ordered: false });
    },
    /** Stores the position of an event whose write is in progress. */
    place: coalesce(async (placed: readonly Pick<Completion, 'event' | 'n'>[]) => {
      const operations = placed.map(({ event: { _id }, n }) => ({
        updateOne: { filter: { _id, floor: { $lt: n } }, update: { $set: { n } } },
      }));
      await translated(() => unflushed.bulkWrite(operations, { ...systemCommandOptions, ordered: false }));
      return placed.map(() => undefined);
    }),
    /** Ends the progress of events, unless their floor is not below their position any more, or they do not exist. */
    complete: coalesce(async (completions: readonly Completion[]): Promise<readonly Outcome[]> => {
      const operations = completions.map(({ event: { _id }, n, entry }) => {
        const $set = { n, ...(entry !== undefined && { entry }) };
        return { updateOne: { filter: { _id, floor: { $lt: n } }, update: { $set, $unset } } };
      });
      const { matchedCount } = await translated(() =>
        unflushed.bulkWrite(operations, { ...systemCommandOptions, ordered: false }),
      );
      if (matchedCount === completions.length) return completions.map(() => 'completed');
      const ids = completions.map(({ event }) => event._id);
      const options = { ...systemCommandOptions, readPreference: 'primary', projection: { floor: 1 } } as const;
      const stored = await translated(() => events.find({ _id: { $in: ids } }, options).toArray());
      const outcomes = new Map(
        stored.map(({ _id, floor }) => [String(_id), floor === undefined ? 'completed' : 'raised']),
      );
      return ids.map((id) => (outcomes.get(String(id)) as Outcome | undefined) ?? 'removed');
    }),
  };
}

/** Bytes of a command: it is one document, which holds 16 MB. */
const MAX_COMMAND = 15_000_000;

/** Documents that fit into one command each. */
function batchesOf(documents: readonly StoredEvent[]): readonly (readonly StoredEvent[])[] {
  const batches: StoredEvent[][] = [];
  let left = 0;
  for (const document of documents) {
    const size = largestSizeOf(document);
    left -= size;
    if (left >= 0) batches.at(-1)?.push(document);
    else {
      batches.push([document]);
      left = MAX_COMMAND - size;
    }
  }
  return batches;
}

/** Bytes of an event at most, without a count of those that are short in any case. */
function largestSizeOf({ entry = '', document = '', before }: StoredEvent): number {
  const [perCharacter, others] = [3, 2000];
  return (
    (entry.length + document.length) * perCharacter +
    (before === undefined ? 0 : BSON.calculateObjectSize(before)) +
    others
  );
}

/**
 * Stores them, flushed: a server that crashed after the answer, and is back, would execute the write of the entry
 * without its event. A plain command: the driver's bulk writes serialize each document twice. If the connection is lost
 * it is sent once more, like the driver's own writes: a document that is stored already was stored by the first
 * command.
 * @throws AppError unavailable, outOfTime
 */
async function insertAll(db: Db, documents: readonly StoredEvent[]): Promise<void> {
  const insert = { insert: EVENTS, documents, ordered: false, ...systemCommandOptions };
  const command = db.writeConcern === undefined ? insert : WriteConcern.apply(insert, db.writeConcern);
  const { writeErrors = [] } = await translated(() => againIfLost(() => db.command(command)));
  const refused = (writeErrors as readonly Document[]).find(({ code }) => code !== DUPLICATE_KEY);
  if (refused !== undefined) throw new Error(`an event was not recorded: ${String(refused['errmsg'])}`);
}
