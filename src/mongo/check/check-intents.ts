import type { Db } from 'mongodb';
import type { Breach } from './breach.js';

const collection = '_intents';
/** Milliseconds; younger ones may be under way. */
const ABANDONED = 60_000;

/** No write to several entries was left half done. */
export async function checkIntents(db: Db): Promise<readonly Breach[]> {
  const before = new Date(Date.now() - ABANDONED);
  const left = await db
    .collection<{ _id: string; at: Date; done?: true }>(collection)
    .find({ at: { $lte: before }, done: { $exists: false } })
    .toArray();
  return left.map(({ _id, at }) => ({
    collection,
    id: _id,
    path: '',
    rule: `was begun at ${at.toISOString()} and not finished: a start of the service finishes it`,
  }));
}
