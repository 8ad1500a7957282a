import type { Db, Filter } from 'mongodb';
import type { ContentType } from '../../content-types/model/types.js';
import type { CodedError } from '../../errors/app-error.js';
import type { Schedule } from '../../query/parse/parse-schedule.js';
import { translated } from '../errors.js';
import { createOnDemand } from '../indexes/on-demand-indexes.js';
import { systemCommandOptions } from '../read/time-limits.js';
import { SCHEDULE } from '../stored/schedule.js';

/** A user, or an API token, by its id. */
export interface AccountName {
  readonly kind: 'user' | 'token';
  readonly id: number;
}

export interface StoredSchedule extends Schedule {
  /** Whose rights the write needs when it is due; absent: it is the operator's. */
  readonly by?: AccountName;
  /** The earlier of the two times; absent after a failure, so that it is not retried. */
  readonly due?: Date;
  /** Why the database or a rule refused the write. */
  readonly error?: string;
  readonly refusal?: CodedError;
}

export interface ScheduledEntry {
  readonly id: number;
  readonly schedule: StoredSchedule;
}

/** Selects entries with these ids, or all that are due. */
interface WhichScheduled {
  readonly ids?: readonly number[];
  readonly dueBy?: Date;
  readonly limit: number;
}

interface Scheduled {
  readonly _id: number;
  readonly [SCHEDULE]: StoredSchedule;
}

/** Schedules in the entries, and the list of their types in `_schedules`. */
export function openSchedules(db: Db) {
  const types = db.collection<{ readonly _id: string }>('_schedules');
  /** Types stay registered, so each process does it once. */
  const prepared = new Set<string>();
  return {
    /** The uids of all types that have ever had a scheduled entry. */
    types: (): Promise<readonly string[]> =>
      translated(async () => (await types.find({}, systemCommandOptions).toArray()).map(({ _id }) => _id)),
    /** Registers a type: its entries can have a schedule. */
    prepare: ({ uid, collectionName }: ContentType): Promise<void> =>
      translated(async () => {
        if (prepared.has(uid)) return;
        await createOnDemand(db, collectionName, 'schedules');
        await types.updateOne({ _id: uid }, { $set: {} }, { ...systemCommandOptions, upsert: true });
        prepared.add(uid);
      }),
    /** Sorted by time, earliest first. */
    find: (
      { collectionName }: ContentType,
      { ids, dueBy, limit }: WhichScheduled,
    ): Promise<readonly ScheduledEntry[]> =>
      translated(async () => {
        const filter = {
          ...(ids !== undefined && { _id: { $in: ids } }),
          [SCHEDULE]: { $exists: true },
          ...(dueBy !== undefined && { [`${SCHEDULE}.due`]: { $lte: dueBy } }),
        } as Filter<Scheduled>;
        const rows = await db
          .collection<Scheduled>(collectionName)
          .find(filter, { ...systemCommandOptions, projection: { [SCHEDULE]: 1 }, readPreference: 'primary' })
          .sort({ [`${SCHEDULE}.due`]: 1 })
          .limit(limit)
          .toArray();
        return rows.map(({ _id, [SCHEDULE]: schedule }) => ({ id: _id, schedule }));
      }),
  };
}

export type Schedules = ReturnType<typeof openSchedules>;
