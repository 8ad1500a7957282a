import type { Db } from 'mongodb';
import type { ContentType } from '../../content-types/model/types.js';

/** Those of the unique keys of components that other entries have. One command of `timeout` at most. */
export async function findTakenKeys(
  db: Db,
  { collectionName }: ContentType,
  keys: readonly string[],
  except: number | undefined,
  timeout: number,
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const filter = { '_unique.k': { $in: [...keys] }, _id: { $ne: except ?? 0 } };
  const collection = db.collection<{ _id: number }>(collectionName);
  const held: readonly unknown[] = await collection.distinct('_unique.k', filter, { maxTimeMS: timeout });
  return new Set(held.map(String));
}
