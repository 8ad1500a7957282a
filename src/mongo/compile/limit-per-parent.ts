import type { Document } from 'mongodb';
import type { AnyRelation, RelatedQuery } from '../../query/ast.js';
import { compileSort } from './sort.js';

/** Of a morph's links, those that lead to the type of the attribute. */
export const ofOwner = (attribute: AnyRelation): Document =>
  attribute.kind === 'morphed' ? { [`${attribute.morphBy}.__type`]: attribute.owner } : {};

/**
 * `start` and `limit` of an inverse relation count per parent, so the related entries are numbered per parent inside
 * the one `$lookup`. An entry with several parents comes once for each. Undefined when there is no limit.
 */
export function limitPerParent(
  attribute: AnyRelation,
  { sort, start, limit }: RelatedQuery,
): readonly Document[] | undefined {
  if (start === 0 && limit === undefined) return undefined;
  const by = attribute.kind === 'morphed' ? attribute.morphBy : (attribute.inverse ?? '');
  const parent = attribute.kind === 'morphed' ? `${by}.id` : by;
  const { stages, temporary } = compileSort(sort);
  const order = sort.length > 0 ? stages.at(-1)?.['$sort'] : { _position: 1, _id: 1 };
  // `$documentNumber` takes one sort key only; a running sum of ones takes several.
  const count = { $sum: 1, window: { documents: ['unbounded', 'current'] } };
  return [
    { $unwind: { path: `$${by}`, includeArrayIndex: '_index' } },
    { $match: { $expr: { $in: [`$${parent}`, '$$parents'] }, ...ofOwner(attribute) } },
    {
      $set: {
        _position: {
          $cond: [{ $isArray: `$_rank.${by}` }, { $arrayElemAt: [`$_rank.${by}`, '$_index'] }, `$_rank.${by}`],
        },
      },
    },
    ...stages.slice(0, -1),
    { $setWindowFields: { partitionBy: `$${parent}`, sortBy: order, output: { _number: count } } },
    { $match: { _number: { $gt: start, ...(limit !== undefined && { $lte: start + limit }) } } },
    { $sort: order },
    ...(temporary.length > 0 ? [{ $unset: [...temporary] }] : []),
  ];
}
