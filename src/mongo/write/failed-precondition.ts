import type { Db, Document } from 'mongodb';
import type { ContentType } from '../../content-types/model/types.js';
import type { Changes } from '../../query/mutation.js';
import { preconditionsOf, type Precondition } from '../compile/write/preconditions.js';

/** The first precondition of a change that an entry does not meet; undefined when no such entry matches the condition. */
export async function findFailedPrecondition(
  db: Db,
  type: ContentType,
  { id, condition = {} }: { readonly id: number; readonly condition: Document | undefined },
  changes: Changes,
  maxTimeMS: number,
): Promise<Precondition | undefined> {
  const collection = db.collection<{ _id: number }>(type.collectionName);
  if ((await collection.countDocuments({ $and: [{ _id: id }, condition] }, { maxTimeMS })) === 0) return undefined;
  for (const requirement of preconditionsOf(changes)) {
    const met = await collection.countDocuments({ $and: [{ _id: id }, requirement.condition] }, { maxTimeMS });
    if (met === 0) return requirement;
  }
  return undefined;
}
