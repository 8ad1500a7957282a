import type { Document } from 'mongodb';
import { isExclusive, type Write } from '../../../query/mutation.js';
import { linkOne } from './links.js';
import { isNoPosition, latestDecision, MIN_RANK } from './marks.js';

/**
 * Adds the target to the relation of one owner, at the end if it is new. Its rank increases; it gets a lower one for a
 * position in the order, if it has the rank that was `seen`, and in a new list, if the owner linked itself since: its place
 * is that in the list.
 */
export function linkOwner(write: Write & { readonly kind: 'link' }, index: number): Document | readonly Document[] {
  const { attribute, target } = write;
  const { name, many } = attribute;
  const [rank, seen] = [write.ranks[index], write.seen?.[index]];
  if (isExclusive(attribute)) return [{ $set: linkOne(attribute, target, rank) }];
  const [id, own] = [{ $literal: target }, { $literal: rank }];
  const ranked = (held: Document | string): Document => {
    const latest = { $max: [held, own] };
    if (write.replaces === true) {
      const link = { a: name, r: target };
      const since = { $subtract: [latestDecision(link, MIN_RANK, isNoPosition(link)), held] };
      const isOwn = { $and: [{ $gte: [since, 0] }, { $lt: [since, many ? { $size: `$${name}` } : 1] }] };
      return { $cond: [isOwn, own, latest] };
    }
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
