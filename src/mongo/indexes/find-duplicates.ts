import type { Db, Document, IndexDescription } from 'mongodb';

/** Values that are listed: enough to begin the repair. */
const MAX_LISTED = 5;

/**
 * Says which values keep a unique index from being made, e.g. `"A-1" in the entries 3, 8`, for a person to mend them.
 */
export async function describeDuplicates(
  db: Db,
  collection: string,
  { key, partialFilterExpression }: IndexDescription,
): Promise<string> {
  const paths = Object.keys(key);
  const [first = ''] = paths;
  const lists = first.includes('.') ? first.slice(0, first.indexOf('.')) : first;
  const found = await db
    .collection(collection)
    .aggregate<{ values: unknown[]; ids: number[] }>([
      { $match: partialFilterExpression ?? {} },
      { $unwind: `$${lists}` },
      { $group: { _id: paths.map((path) => `$${path}`), ids: { $addToSet: '$_id' } } },
      { $match: { 'ids.1': { $exists: true } } },
      { $sort: { _id: 1 } },
      { $limit: MAX_LISTED },
      {
        $project: {
          _id: 0,
          values: '$_id',
          ids: { $slice: [{ $sortArray: { input: '$ids', sortBy: 1 } }, MAX_LISTED] },
        },
      },
    ] satisfies Document[])
    .toArray();
  return found
    .map(({ values, ids }) => `${values.map(describe).join(', ')} in the entries ${ids.join(', ')}`)
    .join('; ');
}

const describe = (value: unknown): string => JSON.stringify(typeof value === 'bigint' ? String(value) : value);
