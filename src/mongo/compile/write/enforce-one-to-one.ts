import type { Document } from 'mongodb';
import type { ContentType, RelationAttribute } from '../../../content-types/model/types.js';
import type { Rank } from '../../../query/mutation.js';

/**
 * Takes a target from all that hold it with a rank below the highest one, or below this one. Each writer that takes it
 * does so after it made its link: whoever is the last sees all links, and none takes the highest away. One command, as
 * who must let go is known only by what the others have.
 */
export function takeover(
  { collectionName }: ContentType,
  { name }: RelationAttribute,
  target: number,
  rank: Rank,
): readonly Document[] {
  const held = `$${name}`;
  const kept = `$_rank.${name}`;
  // What was stored without a rank is older than all that has one.
  const gone = { $and: [{ $eq: [held, { $literal: target }] }, { $lt: [kept, '$$new._latest'] }] };
  const unless = (value: string): Document => ({ $cond: [gone, '$$REMOVE', value] });
  return [
    { $match: { [name]: target } },
    { $setWindowFields: { output: { _latest: { $max: kept } } } },
    { $set: { _latest: { $max: ['$_latest', { $literal: rank }] } } },
    { $match: { $expr: { $lt: [kept, '$_latest'] } } },
    {
      $merge: {
        into: collectionName,
        whenMatched: [{ $set: { [name]: unless(held), [`_rank.${name}`]: unless(kept) } }],
        whenNotMatched: 'discard',
      },
    },
  ];
}
