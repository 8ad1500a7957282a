import type { Db, Document } from 'mongodb';
import type { Collation } from '../../content-types/model/dialects.js';
import { translated } from '../errors.js';
import { systemCommandOptions } from '../read/time-limits.js';
import { lastToDelete, type Retention } from './retention.js';
import { EVENTS, type EventAction, type StoredEvent } from './stored-events.js';

/** An event as readers see it. */
export interface LoggedEvent {
  readonly position: number;
  readonly uid: string;
  readonly id: number;
  readonly action: EventAction;
  readonly at: Date;
  readonly names: readonly string[];
  readonly entry: string | undefined;
  readonly document: string | undefined;
  readonly isUnpublished: boolean;
}

interface EventCounter {
  readonly _id: string;
  readonly id?: number;
  readonly pruned?: number;
}

/** Cannot be the name of an attribute. */
const POSITION = '_position';

const onPrimary = { ...systemCommandOptions, readPreference: 'primary' } as const;

/** The log for its readers. */
export function openLoggedEvents(db: Db) {
  const events = db.collection<StoredEvent>(EVENTS);
  const counters = db.collection<EventCounter>('_counters');
  return {
    /** The events after one position up to another, in order. */
    read: (after: number, upTo: number, limit: number): Promise<readonly LoggedEvent[]> =>
      translated(async () => {
        const rows = await events
          .find({ n: { $gt: after, $lte: upTo } }, onPrimary)
          .project<StoredEvent>({ before: 0 })
          .sort({ n: 1 })
          .limit(limit)
          .toArray();
        return rows.map(({ n = 0, uid, id, action, at, names, entry, document, isUnpublished = false }) => ({
          position: n,
          uid,
          id,
          action,
          at,
          names,
          entry,
          document,
          isUnpublished,
        }));
      }),
    /**
     * The highest position whose event may have been deleted, and the last that was allocated; 0 where there is none
     * yet.
     */
    bounds: (): Promise<{ readonly pruned: number; readonly last: number }> =>
      translated(async () => {
        const { pruned = 0, id: last = 0 } = (await counters.findOne({ _id: EVENTS }, onPrimary)) ?? {};
        return { pruned, last };
      }),
    /**
     * The positions at which the entry matched before the write; without `recordBefore` only an empty filter matches.
     */
    matchingBefore: (
      positions: readonly number[],
      filter: Document,
      collation: Collation | undefined,
    ): Promise<ReadonlySet<number>> =>
      translated(async () => {
        if (positions.length === 0 || Object.keys(filter).length === 0) return new Set(positions);
        const pipeline = [
          { $match: { n: { $in: [...positions] }, before: { $exists: true } } },
          { $replaceRoot: { newRoot: { $mergeObjects: ['$before', { [POSITION]: '$n' }] } } },
          { $match: filter },
          { $project: { _id: 0, [POSITION]: 1 } },
        ];
        const options = { ...systemCommandOptions, ...(collation && { collation }) };
        const rows = await events.aggregate<Record<typeof POSITION, number>>(pipeline, options).toArray();
        return new Set(rows.map((row) => row[POSITION]));
      }),
    /** Deletes events beyond the retention limits. */
    prune: (retention: Retention): Promise<void> =>
      translated(async () => {
        const last = await lastToDelete(events, retention);
        if (last === 0) return;
        // Stored first, so that a reader can tell after a read that no event was missing.
        await counters.updateOne({ _id: EVENTS }, { $max: { pruned: last } }, systemCommandOptions);
        await events.deleteMany({ n: { $lte: last } }, systemCommandOptions);
      }),
  };
}
