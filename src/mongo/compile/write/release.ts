import type { Document } from 'mongodb';
import type { MorphAttribute, RelationAttribute } from '../../../content-types/model/types.js';
import { isMorphLink, type MorphLink, type Write } from '../../../query/mutation.js';
import { referenceOf } from './morph-links.js';
import { someOf } from './links.js';

type Release = Write & { readonly kind: 'release' };

/**
 * Removes a target from all owners that were linked before the links from its side were replaced last. Each writer that
 * replaces them stores a rank in the target, then links, and then executes this: the last one sees all links, and
 * none removes those of the last. One command, because the owners to change depend on stored data.
 * @param since entries that were written later are unchanged
 */
export function compileRelease({ type, attribute, target, side }: Release, since?: Date): readonly Document[] {
  const { linked, rank, without } = isMorphLink(target)
    ? morphParts(attribute as MorphAttribute, target)
    : relationParts(attribute as RelationAttribute, target);
  // A link without a rank is older than all links with one.
  const isOlder = (at: string): Document => ({ $lt: [{ $ifNull: [rank, MIN] }, at] });
  const older = [
    { $match: { ...linked, ...(since !== undefined && { updatedAt: { $not: { $gt: since } } }) } },
    { $match: { $expr: isOlder('$$at') } },
    { $project: { _id: 1 } },
  ];
  return [
    { $match: { _id: side.id } },
    { $project: { at: `$_set.${side.name}` } },
    { $match: { at: { $exists: true } } },
    { $lookup: { from: type.collectionName, let: { at: '$at' }, pipeline: older, as: 'owner' } },
    { $unwind: '$owner' },
    { $project: { _id: '$owner._id', at: 1 } },
    {
      $merge: {
        into: type.collectionName,
        whenMatched: [{ $set: without(isOlder('$$new.at')) }],
        whenNotMatched: 'discard',
      },
    },
  ];
}

const MIN = Number.MIN_SAFE_INTEGER;

interface Parts {
  /** Finds the owners that refer to the target. */
  readonly linked: Document;
  /** The rank at which the target was linked. */
  readonly rank: Document | string;
  /** An owner without the target if the condition holds. */
  readonly without: (isOlder: Document) => Document;
}

function relationParts({ name, many }: RelationAttribute, target: number): Parts {
  const [held, ranks] = [`$${name}`, `$_rank.${name}`];
  const id = { $literal: target };
  if (!many) {
    return {
      linked: { [name]: target },
      rank: ranks,
      without: (isOlder) => {
        const isRemoved = { $and: [{ $eq: [held, id] }, isOlder] };
        const unless = (value: string): Document => ({ $cond: [isRemoved, '$$REMOVE', value] });
        return { [name]: unless(held), [`_rank.${name}`]: unless(ranks) };
      },
    };
  }
  // By the stored form: the definition may have changed since, see `npx content-service migrate`.
  const ids = { $cond: [{ $isArray: [held] }, held, []] };
  const at = { $indexOfArray: [ids, id] };
  return {
    linked: { [name]: target },
    rank: { $cond: [{ $lt: [at, 0] }, null, { $arrayElemAt: [ranks, at] }] },
    without: (isOlder) => {
      const left = (list: string): Document =>
        someOf({
          $map: {
            input: {
              $filter: {
                input: { $range: [0, { $size: ids }] },
                as: 'at',
                cond: { $ne: ['$$at', at] },
              },
            },
            as: 'at',
            in: { $arrayElemAt: [list, '$$at'] },
          },
        });
      const unless = (list: string): Document => ({ $cond: [isOlder, left(list), list] });
      return { [name]: unless(held), [`_rank.${name}`]: unless(ranks) };
    },
  };
}

function morphParts({ name, many }: MorphAttribute, target: MorphLink): Parts {
  const [held, link, reference] = [`$${name}`, { $literal: target }, referenceOf(name, target)];
  const isIt = { $and: [{ $eq: ['$$one.a', reference.a] }, { $eq: ['$$one.r', reference.r] }] };
  const references = { $ifNull: ['$_refs', []] };
  const own = { $first: { $filter: { input: references, as: 'one', cond: isIt } } };
  const others = someOf({ $filter: { input: references, as: 'one', cond: { $not: [isIt] } } });
  const left = many
    ? someOf({ $filter: { input: { $ifNull: [held, []] }, as: 'one', cond: { $ne: ['$$one', link] } } })
    : { $cond: [{ $eq: [held, link] }, '$$REMOVE', held] };
  return {
    linked: { _refs: { $elemMatch: reference } },
    rank: { $let: { vars: { own }, in: '$$own.n' } },
    without: (isOlder) => ({
      [name]: { $cond: [isOlder, left, held] },
      _refs: { $cond: [isOlder, others, '$_refs'] },
    }),
  };
}
