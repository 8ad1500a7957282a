import type { Db } from 'mongodb';
import type { ContentType } from '../../content-types/model/types.js';
import type { Changes } from '../../query/mutation.js';
import { preconditionsOf, type Precondition } from '../compile/write/preconditions.js';

/** The first precondition of a change that an entry does not meet; undefined when the entry does not exist. */
export async function findFailedPrecondition(
  db: Db,
  type: ContentType,
  id: number,
  changes: Changes,
  maxTimeMS: number,
): Promise<Precondition | undefined> {
  const collection = db.collection<{ _id: number }>(type.collectionName);
  if ((await collection.countDocuments({ _id: id }, { maxTimeMS })) === 0) return undefined;
  for (const requirement of preconditionsOf(changes)) {
    const met = await collection.countDocuments({ $and: [{ _id: id }, requirement.condition] }, { maxTimeMS });
    if (met === 0) return requirement;
  }
  return undefined;
}
