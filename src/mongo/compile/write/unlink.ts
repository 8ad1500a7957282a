import type { Document } from 'mongodb';

/**
 * Takes ids out of a relation, and their ranks out of what stands beside it; a list that becomes empty goes. It is done
 * by what is stored, a list or one id: the definition may say something else since, see `npx content-service migrate`.
 */
export function unlinkPipeline(name: string, targets: readonly number[]): readonly Document[] {
  const stored = `$${name}`;
  const held = '$_held';
  const isKept = (index: string): Document => ({
    $not: [{ $in: [{ $arrayElemAt: [held, index] }, { $literal: targets }] }],
  });
  const kept = { $filter: { input: { $range: [0, { $size: held }] }, as: 'at', cond: isKept('$$at') } };
  const pick = (list: string): Document => ({
    $map: { input: '$_kept', as: 'at', in: { $arrayElemAt: [list, '$$at'] } },
  });
  const some = (list: string): Document => ({ $cond: [{ $eq: ['$_kept', []] }, '$$REMOVE', pick(list)] });
  const ranks = { $cond: [{ $isArray: [`$_rank.${name}`] }, some(`$_rank.${name}`), '$$REMOVE'] };
  return [
    { $set: { _held: { $cond: [{ $isArray: [stored] }, stored, [stored]] } } },
    { $set: { _kept: kept } },
    { $set: { [name]: some(held), [`_rank.${name}`]: ranks } },
    { $unset: ['_held', '_kept'] },
  ];
}
