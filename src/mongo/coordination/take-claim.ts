import type { Db, Document } from 'mongodb';
import { duplicateOf } from '../errors.js';
import { systemCommandOptions } from '../read/time-limits.js';

/** The right of one process to a key of `_claims`, as long as it renews it. */
export interface HeldClaim {
  readonly _id: string;
  /** The holder. */
  readonly by: string;
  /** Its last renewal, by the clock of the database: those of two processes may differ. */
  readonly at: Date;
}

/** Sets the time of a renewal. */
export const renewal: Document[] = [{ $set: { at: '$$NOW' } }];

/**
 * Takes or renews a claim; false: another process has it, and renewed it in the last `expiry` milliseconds.
 */
export async function takeClaim(db: Db, key: string, by: string, expiry: number): Promise<boolean> {
  const isExpired = { $lte: [{ $ifNull: ['$at', new Date(0)] }, { $subtract: ['$$NOW', expiry] }] };
  const isFree = { $or: [{ $eq: ['$by', by] }, isExpired] };
  const update = [{ $set: { by: { $cond: [isFree, by, '$by'] }, at: { $cond: [isFree, '$$NOW', '$at'] } } }];
  const options = { ...systemCommandOptions, upsert: true, returnDocument: 'after' } as const;
  try {
    const claim = await db.collection<HeldClaim>('_claims').findOneAndUpdate({ _id: key }, update, options);
    return claim?.by === by;
  } catch (error) {
    // Another process has just taken it for the first time.
    if (duplicateOf(error) !== undefined) return false;
    throw error;
  }
}
