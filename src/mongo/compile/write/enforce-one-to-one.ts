import type { Document } from 'mongodb';
import type { ContentType, RelationAttribute } from '../../../content-types/model/types.js';
import { linkFields, linkValues } from '../../stored/relation.js';
import type { Rank } from '../../../query/mutation.js';

/**
 * Removes a target from all entries that refer to it with a rank below the highest one, or below this one. Each writer does so
 * after it created its link: the last one sees all links, and none removes the highest. One command, because the entries
 * to change depend on stored data.
 */
export function takeover(
  { collectionName }: ContentType,
  { name }: RelationAttribute,
  target: number,
  rank: Rank,
): readonly Document[] {
  const [held, kept] = linkValues(name);
  // A link without a rank is older than all links with one.
  const isOlder = { $and: [{ $eq: [held, { $literal: target }] }, { $lt: [kept, '$$new._latest'] }] };
  const unless = (value: string): Document => ({ $cond: [isOlder, '$$REMOVE', value] });
  return [
    { $match: { [name]: target } },
    { $setWindowFields: { output: { _latest: { $max: kept } } } },
    { $set: { _latest: { $max: ['$_latest', { $literal: rank }] } } },
    { $match: { $expr: { $lt: [kept, '$_latest'] } } },
    {
      $merge: {
        into: collectionName,
        whenMatched: [{ $set: linkFields(name, unless(held), unless(kept)) }],
        whenNotMatched: 'discard',
      },
    },
  ];
}
