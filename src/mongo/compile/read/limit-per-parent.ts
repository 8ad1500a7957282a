import type { Document } from 'mongodb';
import type { AnyRelation, RelatedQuery } from '../../../query/ast.js';
import type { CompiledSort } from './sort.js';

/** Of a morph's links, those that lead to the type of the attribute. */
export const ofOwner = (attribute: AnyRelation, by = linkTo(attribute)): Document =>
  attribute.kind === 'morphed' ? { [`${by}.__type`]: attribute.owner } : {};

/** The name of the attribute of the target that leads here. */
export const linkTo = (attribute: AnyRelation): string =>
  attribute.kind === 'morphed' ? attribute.morphBy : (attribute.inverse ?? '');

/** Under which name an entry that is numbered per parent tells for which. */
export const PARENT = '_parent';

/**
 * `start` and `limit` of an inverse relation count per parent, so the related entries are numbered per parent inside
 * the one `$lookup`. An entry with several parents comes once for each, as it is stored, and tells the parent under
 * `PARENT`. Undefined when there is no limit.
 */
export function limitPerParent(
  attribute: AnyRelation,
  { sort, start, limit }: RelatedQuery,
  { stages, temporary }: CompiledSort,
): readonly Document[] | undefined {
  if (start === 0 && limit === undefined) return undefined;
  const by = linkTo(attribute);
  const parent = attribute.kind === 'morphed' ? `$${PARENT}.id` : `$${PARENT}`;
  const order = sort.length > 0 ? stages.at(-1)?.['$sort'] : { _position: 1, _id: 1 };
  // `$documentNumber` takes one sort key only; a running sum of ones takes several.
  const count = { $sum: 1, window: { documents: ['unbounded', 'current'] } };
  return [
    { $set: { [PARENT]: `$${by}` } },
    { $unwind: { path: `$${PARENT}`, includeArrayIndex: '_index' } },
    // The parents are a constant here, in which the database finds one by its hash.
    { $match: { $expr: { $gte: [{ $indexOfArray: ['$$parents', parent] }, 0] }, ...ofOwner(attribute, PARENT) } },
    {
      $set: {
        _position: {
          $cond: [{ $isArray: `$_rank.${by}` }, { $arrayElemAt: [`$_rank.${by}`, '$_index'] }, `$_rank.${by}`],
        },
      },
    },
    ...stages.slice(0, -1),
    { $setWindowFields: { partitionBy: parent, sortBy: order, output: { _number: count } } },
    { $match: { _number: { $gt: start, ...(limit !== undefined && { $lte: start + limit }) } } },
    { $sort: order },
    ...(temporary.length > 0 ? [{ $unset: [...temporary] }] : []),
  ];
}
