import type { Db } from 'mongodb';
import { compareTexts } from '../stored/compare-texts.js';
import type { ContentType } from '../../content-types/model/types.js';

/** Those of the unique keys of components that other entries have. One command of `timeout` at most. */
export async function findTakenKeys(
  db: Db,
  { collectionName, dialect: { collation } }: ContentType,
  keys: readonly string[],
  except: number | undefined,
  timeout: number,
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const filter = { '_unique.k': { $in: [...keys] }, _id: { $ne: except ?? 0 } };
  const collection = db.collection<{ _id: number }>(collectionName);
  const held: readonly unknown[] = await collection.distinct('_unique.k', filter, { maxTimeMS: timeout });
  const isHeld = (key: string): boolean =>
    held.some(
      (value) => value === key || (collation !== undefined && compareTexts(String(value), key, collation) === 0),
    );
  return new Set(keys.filter(isHeld));
}
