import type { Document } from 'mongodb';
import type { MorphAttribute, RelationAttribute } from '../../../content-types/model/types.js';
import { isMorphLink, type MorphLink, type Write } from '../../../query/mutation.js';
import { isUndecidedAfter } from './marks.js';
import { referenceOf } from './morph-links.js';
import { someOf } from './links.js';

type Release = Write & { readonly kind: 'release' };

/**
 * Removes a target from all owners that were linked before the links from its side were replaced last. Each writer that
 * replaces them stores a rank in the target, then links, and then executes this: the last one sees the links of all, and
 * none removes those of the last. Links about which something was decided later stay. One command, because the owners to
 * change depend on what is stored.
 */
export function compileRelease({ type, attribute, target, side }: Release): readonly Document[] {
  const { linked, isOlder, without } = linkParts(attribute, target);
  const older = [{ $match: linked }, { $match: { $expr: isOlder('$$at') } }, { $project: { _id: 1 } }];
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

/** One link of an owner, and the owner without it. */
export interface LinkParts {
  readonly linked: Document;
  /** Was it made before this number, and nothing decided about it since? A link without a rank is older than all with one. */
  readonly isOlder: (at: unknown) => Document;
  readonly without: (condition: Document) => Document;
  /** As marks name it. */
  readonly link: { readonly a: string; readonly r: number | string };
}

export function linkParts(attribute: RelationAttribute | MorphAttribute, target: number | MorphLink): LinkParts {
  const { linked, rank, without } = isMorphLink(target)
    ? morphParts(attribute as MorphAttribute, target)
    : relationParts(attribute as RelationAttribute, target);
  const { name } = attribute;
  const link = isMorphLink(target) ? referenceOf(name, target) : { a: name, r: target };
  return {
    linked,
    isOlder: (at) => ({
      $and: [{ $lt: [{ $ifNull: [rank, MIN] }, at] }, isUndecidedAfter(link, at)],
    }),
    without,
    link,
  };
}

interface Parts {
  /** Finds the owners that refer to the target. */
  readonly linked: Document;
  /** The rank at which the target was linked. */
  readonly rank: Document | string;
  /** An owner without the target where the condition says so. */
  readonly without: (condition: Document) => Document;
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
