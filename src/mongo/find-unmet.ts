import type { Db } from 'mongodb';
import type { ContentType } from '../content-types/types.js';
import type { Changes } from '../query/write.js';
import { requirementsOf, type Requirement } from './compile/requirements.js';

/** The first requirement of a change that an entry does not meet; undefined when the entry is not there. Commands of so many milliseconds at most. */
export async function findUnmet(
  db: Db,
  type: ContentType,
  id: number,
  changes: Changes,
  maxTimeMS: number,
): Promise<Requirement | undefined> {
  const collection = db.collection<{ _id: number }>(type.collectionName);
  if ((await collection.countDocuments({ _id: id }, { maxTimeMS })) === 0) return undefined;
  for (const requirement of requirementsOf(changes)) {
    const met = await collection.countDocuments({ $and: [{ _id: id }, requirement.condition] }, { maxTimeMS });
    if (met === 0) return requirement;
  }
  return undefined;
}
