import type { Db } from 'mongodb';
import type { ContentType } from '../../../content-types/model/types.js';
import { translated } from '../../errors.js';
import { fieldsBesideAttributes, isDemanded, lacksValue, isUnexpected, type Unfit } from './find-unfit.js';

/**
 * The number of entries of a content type per mismatch. Components are not checked: the database counts, and no entries are
 * transferred.
 * @param timeout milliseconds
 */
export async function countUnfit(
  db: Db,
  type: ContentType,
  timeout: number,
): Promise<readonly { readonly unfit: Unfit; readonly entries: number }[]> {
  const collection = db.collection(type.collectionName);
  const options = { maxTimeMS: timeout, allowDiskUse: false };
  const demanded = [...type.attributes.values()].filter(isDemanded).map(({ name }) => name);
  const fields = [...type.attributes.keys(), ...fieldsBesideAttributes];
  return translated(async () => {
    const [sums = {}] =
      demanded.length === 0
        ? []
        : await collection
            .aggregate<Record<string, number>>(
              [
                { $match: type.draftAndPublish ? { _live: 1 } : {} },
                {
                  $group: Object.fromEntries([
                    ['_id', null],
                    ...demanded.map((name, at) => [`n${at}`, { $sum: { $cond: [{ $gt: [`$${name}`, null] }, 0, 1] } }]),
                  ]),
                },
              ],
              options,
            )
            .toArray();
    const names = await collection
      .aggregate<{ readonly _id: string; readonly entries: number }>(
        [
          { $project: { _id: 0, names: { $map: { input: { $objectToArray: '$$ROOT' }, in: '$$this.k' } } } },
          { $project: { names: { $setDifference: ['$names', fields] } } },
          { $unwind: '$names' },
          { $group: { _id: '$names', entries: { $sum: 1 } } },
          { $sort: { _id: 1 } },
        ],
        options,
      )
      .toArray();
    const missing = demanded.map((name, at) => ({ unfit: lacksValue(name), entries: sums[`n${at}`] ?? 0 }));
    return [...missing, ...names.map(({ _id, entries }) => ({ unfit: isUnexpected(_id), entries }))].filter(
      ({ entries }) => entries > 0,
    );
  });
}
