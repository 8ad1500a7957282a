import type { Document } from 'mongodb';
import type { MorphAttribute, RelationAttribute } from '../../../content-types/model/types.js';
import { isMorphLink, type MorphLink, type Write } from '../../../query/mutation.js';
import { isNoPosition, latestDecision, MIN_RANK } from './marks.js';
import {
  isReference,
  linkFields,
  linkValues,
  morphReference,
  REFERENCES,
  referencesWhere,
  someReference,
} from '../../stored/relation.js';
import { someOf } from './links.js';

type Release = Write & { readonly kind: 'release' };

/**
 * Removes a target from all owners that were linked before the links from its side were replaced last. Each writer that
 * replaces them stores a rank in the target, then links, and then executes this: the last one sees the links of all, and
 * none removes those of the last. Links that were confirmed later stay, and get the rank of that decision. One command,
 * because the owners to change depend on what is stored.
 */
export function compileRelease({ type, attribute, target, side, from = MIN_RANK }: Release): readonly Document[] {
  const { linked, rank, link, without } = linkParts(attribute, target);
  const isOlder = { $and: [{ $gte: [rank, from] }, { $lt: [rank, '$$at'] }] };
  const older = [{ $match: linked }, { $match: { $expr: isOlder } }, { $project: { _id: 1 } }];
  const confirmed = latestDecision(link, rank, isNoPosition(link));
  const latest = { $cond: [{ $lt: [rank, '$$new.at'] }, confirmed, rank] };
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
        whenMatched: [{ $set: without({ $and: [{ $gte: [rank, from] }, { $lte: [latest, '$$new.at'] }] }, latest) }],
        whenNotMatched: 'discard',
      },
    },
  ];
}

/** One link of an owner, and the owner without it. */
export interface LinkParts extends Parts {
  /** Was it made before this number, and nothing decided about it since? */
  readonly isOlder: (at: unknown) => Document;
  /** As marks name it. */
  readonly link: { readonly a: string; readonly r: number | string };
}

export function linkParts(attribute: RelationAttribute | MorphAttribute, target: number | MorphLink): LinkParts {
  const parts = isMorphLink(target)
    ? morphParts(attribute as MorphAttribute, target)
    : relationParts(attribute as RelationAttribute, target);
  const { name } = attribute;
  const link = isMorphLink(target) ? morphReference(name, target) : { a: name, r: target };
  const rank = { $ifNull: [parts.rank, MIN_RANK] };
  return { ...parts, rank, isOlder: (at) => ({ $lte: [latestDecision(link, rank), at] }), link };
}

interface Parts {
  /** Finds the owners that refer to the target. */
  readonly linked: Document;
  /** The rank at which the target was linked. */
  readonly rank: Document | string;
  /** An owner without the target where the condition says so; elsewhere the link gets this rank, if it decides about an order. */
  readonly without: (condition: Document, rank?: Document | string) => Document;
}

function relationParts({ name, many }: RelationAttribute, target: number): Parts {
  const [held, ranks] = linkValues(name);
  const id = { $literal: target };
  if (!many) {
    return {
      linked: { [name]: target },
      rank: ranks,
      without: (isOlder, rank = ranks) => {
        const after = (stays: unknown, value: string): Document => ({
          $cond: [{ $eq: [held, id] }, { $cond: [isOlder, '$$REMOVE', stays] }, value],
        });
        return linkFields(name, after(held, held), after(rank, ranks));
      },
    };
  }
  // By the stored form: the definition may have changed since, see `npx content-service migrate`.
  const ids = { $cond: [{ $isArray: [held] }, held, []] };
  const at = { $indexOfArray: [ids, id] };
  return {
    linked: { [name]: target },
    rank: { $cond: [{ $lt: [at, 0] }, null, { $arrayElemAt: [ranks, at] }] },
    without: (isOlder, rank) => {
      const indexes = { $range: [0, { $size: ids }] };
      const others = { $filter: { input: indexes, as: 'at', cond: { $ne: ['$$at', at] } } };
      const left = (list: string): Document =>
        someOf({ $map: { input: others, as: 'at', in: { $arrayElemAt: [list, '$$at'] } } });
      const unless = (list: string, stays: unknown): Document => ({ $cond: [isOlder, left(list), stays] });
      const own = { $cond: [{ $eq: ['$$at', at] }, rank, { $arrayElemAt: [ranks, '$$at'] }] };
      const moved = { $cond: [{ $lt: [at, 0] }, ranks, { $map: { input: indexes, as: 'at', in: own } }] };
      return linkFields(name, unless(held, held), unless(ranks, rank === undefined ? ranks : moved));
    },
  };
}

function morphParts({ name, many }: MorphAttribute, target: MorphLink): Parts {
  const [held, link, reference] = [`$${name}`, { $literal: target }, morphReference(name, target)];
  const isIt = isReference(reference);
  const own = { $first: referencesWhere(isIt) };
  const others = someOf(referencesWhere({ $not: [isIt] }));
  const left = many
    ? someOf({ $filter: { input: { $ifNull: [held, []] }, as: 'one', cond: { $ne: ['$$one', link] } } })
    : { $cond: [{ $eq: [held, link] }, '$$REMOVE', held] };
  return {
    linked: someReference(reference),
    rank: { $let: { vars: { own }, in: '$$own.n' } },
    without: (isOlder) => ({
      [name]: { $cond: [isOlder, left, held] },
      [REFERENCES]: { $cond: [isOlder, others, `$${REFERENCES}`] },
    }),
  };
}
