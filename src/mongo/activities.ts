import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import type { Activity, NewActivity, Signature } from '../query/receipt.js';
import { translated } from './errors.js';
import { systemCommandOptions } from './read/time-limits.js';

interface StoredActivity extends Omit<Activity, 'id'> {
  readonly _id: string;
}

/** Receives activities, and keeps them. It gets each at least once, and several times after an error or a crash. */
export type ReceiveActivities = (activities: readonly Activity[]) => Promise<void>;

interface ActivityOptions {
  /** Who asks. */
  readonly asking: () => Signature;
  /** Undefined: a process of the service receives them within a minute. */
  readonly receive?: ReceiveActivities;
  readonly report?: (error: unknown) => void;
}

/** Milliseconds after which others tell what a process has left. */
const LEFT_MS = 20_000;
/** Activities that are told together. */
const BATCH = 1000;

/** What is done besides writes of entries: stored before it is acknowledged, until it was received. */
export function openActivities(db: Db, { asking, receive, report = () => undefined }: ActivityOptions) {
  const collection = db.collection<StoredActivity>('_activities');
  const tell = async (stored: readonly StoredActivity[]): Promise<void> => {
    if (receive === undefined || stored.length === 0) return;
    await receive(stored.map(({ _id: id, ...activity }) => ({ id, ...activity })));
    await collection.deleteMany({ _id: { $in: stored.map(({ _id }) => _id) } }, systemCommandOptions);
  };
  return {
    /** Stores an activity, and tells it. @throws AppError unavailable: it is not stored */
    record: async (activity: NewActivity): Promise<void> => {
      const stored: StoredActivity = { _id: randomUUID(), at: new Date(), ...asking(), ...activity };
      await translated(async () => collection.insertOne(stored, systemCommandOptions));
      // It is stored: the next search tells it again.
      await tell([stored]).catch(report);
    },
    /** Tells what processes have left: all that is this old. */
    search: async (olderThan = LEFT_MS): Promise<void> => {
      for (let length = BATCH; length === BATCH;) {
        const filter = { at: { $lte: new Date(Date.now() - olderThan) } };
        const found = await collection.find(filter, systemCommandOptions).sort({ at: 1 }).limit(BATCH).toArray();
        await tell(found);
        length = found.length;
      }
    },
  };
}

export type Activities = ReturnType<typeof openActivities>;
