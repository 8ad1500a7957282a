import type { Document } from 'mongodb';
import type { RelationAttribute } from '../../../content-types/model/types.js';
import { isExclusive, type Rank } from '../../../query/mutation.js';
import { linkOne } from './links.js';

/**
 * Adds one id to the relation of an owner, at the end if it is new. Its rank increases, so that the latest link wins;
 * it gets a lower one, for a position in the order, only if it has the rank that was `seen`.
 */
export function linkOwner(
  attribute: RelationAttribute,
  target: number,
  rank: Rank | undefined,
  seen?: number | null,
): Document | readonly Document[] {
  const { name, many } = attribute;
  if (isExclusive(attribute)) return [{ $set: linkOne(attribute, target, rank) }];
  const [id, own] = [{ $literal: target }, { $literal: rank }];
  const ranked = (held: Document | string): Document => {
    const latest = { $max: [held, own] };
    return typeof seen === 'number' ? { $cond: [{ $eq: [held, { $literal: seen }] }, own, latest] } : latest;
  };
  if (!many) {
    if (rank === undefined) return { $set: { [name]: target } };
    const kept = { $cond: [{ $eq: [`$${name}`, id] }, ranked(`$_rank.${name}`), own] };
    return [{ $set: { [name]: id, [`_rank.${name}`]: kept } }];
  }
  const held = { $ifNull: [`$${name}`, []] };
  const at = { $indexOfArray: [held, id] };
  const ids = { $cond: [{ $lt: [at, 0] }, { $concatArrays: [held, [id]] }, held] };
  if (rank === undefined) return [{ $set: { [name]: ids } }];
  const order = { $ifNull: [`$_rank.${name}`, []] };
  const stored = { $arrayElemAt: [order, '$$index'] };
  const keepOrMove = { $cond: [{ $eq: ['$$index', '$$at'] }, ranked(stored), stored] };
  const moved = { $map: { input: { $range: [0, { $size: order }] }, as: 'index', in: keepOrMove } };
  const grown = { $concatArrays: [order, [own]] };
  const ranks = { $let: { vars: { at }, in: { $cond: [{ $lt: ['$$at', 0] }, grown, moved] } } };
  return [{ $set: { [name]: ids, [`_rank.${name}`]: ranks } }];
}
