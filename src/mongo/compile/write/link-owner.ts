import type { Document } from 'mongodb';
import type { Rank, Write } from '../../../query/mutation.js';
import { isExclusive, linkFields, linkValues } from '../../stored/relation.js';
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
  if (isExclusive(attribute)) return [{ $set: linkUnlessNewer(name, target, rank) }];
  const [id, own] = [{ $literal: target }, { $literal: rank }];
  const [storedIds, storedRanks] = linkValues(name);
  const ranked = (held: Document | string): Document => {
    const latest = { $max: [held, own] };
    if (write.replaces === true) {
      const link = { a: name, r: target };
      const since = { $subtract: [latestDecision(link, MIN_RANK, isNoPosition(link)), held] };
      const isOwn = { $and: [{ $gte: [since, 0] }, { $lt: [since, many ? { $size: storedIds } : 1] }] };
      return { $cond: [isOwn, own, latest] };
    }
    return typeof seen === 'number' ? { $cond: [{ $eq: [held, { $literal: seen }] }, own, latest] } : latest;
  };
  if (!many) {
    if (rank === undefined) return { $set: { [name]: target } };
    const kept = { $cond: [{ $eq: [storedIds, id] }, ranked(storedRanks), own] };
    return [{ $set: linkFields(name, id, kept) }];
  }
  const held = { $ifNull: [storedIds, []] };
  const at = { $indexOfArray: [held, id] };
  const ids = { $cond: [{ $lt: [at, 0] }, { $concatArrays: [held, [id]] }, held] };
  if (rank === undefined) return [{ $set: { [name]: ids } }];
  const order = { $ifNull: [storedRanks, []] };
  const stored = { $arrayElemAt: [order, '$$index'] };
  const keepOrMove = { $cond: [{ $eq: ['$$index', '$$at'] }, ranked(stored), stored] };
  const moved = { $map: { input: { $range: [0, { $size: order }] }, as: 'index', in: keepOrMove } };
  const grown = { $concatArrays: [order, [own]] };
  const ranks = { $let: { vars: { at }, in: { $cond: [{ $lt: ['$$at', 0] }, grown, moved] } } };
  return [{ $set: linkFields(name, ids, ranks) }];
}

/**
 * The owner keeps a link of a later rank: its writer may have taken the target of that link from others. Otherwise one of two writes at the same
 * time could be the later one for the owner, and the earlier one for this target.
 */
const linkUnlessNewer = (name: string, target: number, rank: Rank | undefined): Document => {
  const [held, stored] = linkValues(name);
  const own = { $literal: rank ?? null };
  const latest = { $cond: [{ $gt: [stored, own] }, held, { $literal: target }] };
  return linkFields(name, latest, { $max: [stored, own] });
};
