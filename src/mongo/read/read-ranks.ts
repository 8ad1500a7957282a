import type { Db } from 'mongodb';
import type { ContentType, RelationAttribute } from '../../content-types/model/types.js';
import { linkValues } from '../stored/relation.js';
import { readBatch } from './read-batch.js';

/** An entry that refers to a target in a relation, with its rank in the order of the inverse side. */
export interface RankedEntry {
  readonly id: number;
  readonly rank: number;
}

/** The inverse side: the target and its attribute. */
export interface RankedSide {
  readonly type: ContentType;
  readonly id: number;
  readonly name: string;
}

/** The owners of a target, in the order of the inverse side. */
export interface RankedEntries {
  readonly entries: readonly RankedEntry[];
  /** New links have higher ranks than this; links with lower ones were replaced and are about to be removed. */
  readonly above: number | undefined;
}

/**
 * The entries that refer to a target in this relation, in the order of the inverse side. Two commands of `timeout` at most: what
 * is replaced is read last, so that no link that replaces others is taken for one of them.
 */
export async function readRanks(
  db: Db,
  { collectionName }: ContentType,
  { name, many }: RelationAttribute,
  { type, id, name: from }: RankedSide,
  timeout: number,
): Promise<RankedEntries> {
  const [ids, ranks] = linkValues(name);
  const rank = many ? { $arrayElemAt: [ranks, { $indexOfArray: [ids, { $literal: id }] }] } : ranks;
  const pipeline = [
    { $match: { [name]: id } },
    { $project: { _id: 0, id: '$_id', rank } },
    { $sort: { rank: 1, id: 1 } },
  ];
  const entries = await readBatch<RankedEntry>(db, { aggregate: collectionName, pipeline }, timeout);
  const replaced = [{ $match: { _id: id } }, { $project: { _id: 0, above: `$_set.${from}` } }];
  const [side] = await readBatch<{ readonly above?: number }>(
    db,
    { aggregate: type.collectionName, pipeline: replaced },
    timeout,
  );
  return { entries, above: side?.above };
}
