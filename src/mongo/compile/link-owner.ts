import type { Document } from 'mongodb';
import type { RelationAttribute } from '../../content-types/types.js';
import { isSole, type Rank } from '../../query/write.js';
import { linkOne } from './links.js';

/** Puts one id into the relation of an owner: at the end if it is new there; with this rank in any case. */
export function linkOwner(
  attribute: RelationAttribute,
  target: number,
  rank: Rank | undefined,
): Document | readonly Document[] {
  const { name, many } = attribute;
  if (isSole(attribute)) return [{ $set: linkOne(attribute, target, rank) }];
  if (!many) return { $set: { [name]: target, ...(rank !== undefined && { [`_rank.${name}`]: rank }) } };
  const held = { $ifNull: [`$${name}`, []] };
  const at = { $indexOfArray: [held, { $literal: target }] };
  const ids = { $cond: [{ $lt: [at, 0] }, { $concatArrays: [held, [{ $literal: target }]] }, held] };
  if (rank === undefined) return [{ $set: { [name]: ids } }];
  const own = { $literal: rank };
  const order = { $ifNull: [`$_rank.${name}`, []] };
  const keepOrMove = { $cond: [{ $eq: ['$$index', '$$at'] }, own, { $arrayElemAt: [order, '$$index'] }] };
  const moved = { $map: { input: { $range: [0, { $size: order }] }, as: 'index', in: keepOrMove } };
  const grown = { $concatArrays: [order, [own]] };
  const ranks = { $let: { vars: { at }, in: { $cond: [{ $lt: ['$$at', 0] }, grown, moved] } } };
  return [{ $set: { [name]: ids, [`_rank.${name}`]: ranks } }];
}
