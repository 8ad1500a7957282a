import type { Db } from 'mongodb';
import type { ContentType, RelationAttribute } from '../content-types/types.js';
import { readBatch } from './read-batch.js';

/** An entry that holds a target in a relation, and its rank in the order of the other side. */
export interface RankedEntry {
  readonly id: number;
  readonly rank: number;
}

/** The entries that hold a target in this relation, in the order of the other side. One command of `timeout` at most. */
export function readRanks(
  db: Db,
  { collectionName }: ContentType,
  { name, many }: RelationAttribute,
  target: number,
  timeout: number,
): Promise<readonly RankedEntry[]> {
  const at = { $indexOfArray: [`$${name}`, { $literal: target }] };
  const rank = many ? { $arrayElemAt: [`$_rank.${name}`, at] } : `$_rank.${name}`;
  const pipeline = [
    { $match: { [name]: target } },
    { $project: { _id: 0, id: '$_id', rank } },
    { $sort: { rank: 1, id: 1 } },
  ];
  return readBatch<RankedEntry>(db, { aggregate: collectionName, pipeline }, timeout);
}
