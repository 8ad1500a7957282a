import type { Document } from 'mongodb';
import { linkFields, linkValues } from '../../stored/relation.js';

/**
 * Removes ids from a relation, with their ranks; a list that becomes empty is removed. It works on a stored list and on one
 * id: the definition may have changed since, see `npx content-service migrate`.
 */
export function unlinkPipeline(name: string, targets: readonly number[]): readonly Document[] {
  const [stored, storedRanks] = linkValues(name);
  const held = '$_held';
  const isKept = (index: string): Document => ({
    $not: [{ $in: [{ $arrayElemAt: [held, index] }, { $literal: targets }] }],
  });
  const kept = { $filter: { input: { $range: [0, { $size: held }] }, as: 'at', cond: isKept('$$at') } };
  const pick = (list: string): Document => ({
    $map: { input: '$_kept', as: 'at', in: { $arrayElemAt: [list, '$$at'] } },
  });
  const some = (list: string): Document => ({ $cond: [{ $eq: ['$_kept', []] }, '$$REMOVE', pick(list)] });
  const ranks = { $cond: [{ $isArray: [storedRanks] }, some(storedRanks), '$$REMOVE'] };
  return [
    { $set: { _held: { $cond: [{ $isArray: [stored] }, stored, [stored]] } } },
    { $set: { _kept: kept } },
    { $set: linkFields(name, some(held), ranks) },
    { $unset: ['_held', '_kept'] },
  ];
}
