import type { Db } from 'mongodb';
import type { ContentType } from '../../../content-types/model/types.js';
import { DELETED_AT } from '../../stored/trash.js';
import { describeValue } from './stored-kinds.js';
import type { Scan } from './scan-entry.js';
import type { Rule } from './value-rules.js';

/** A deleted entry says when it was deleted, and is not there any more. */
export async function deletedAreGone(db: Db, { trashOf }: ContentType, scans: readonly Scan[]): Promise<Rule> {
  if (trashOf === undefined) return () => [];
  const ids = scans.map(({ document }) => Number(document['_id']));
  const found = await db
    .collection<{ _id: number }>(trashOf.collectionName)
    .find({ _id: { $in: ids } }, { projection: { _id: 1 } })
    .toArray();
  const present = new Set(found.map(({ _id }) => _id));
  return ({ document }) => [
    ...(document[DELETED_AT] instanceof Date
      ? []
      : [{ path: DELETED_AT, rule: `must be a time, is ${describeValue(document[DELETED_AT])}` }]),
    ...(present.has(Number(document['_id'])) ? [{ path: '', rule: `is in ${trashOf.collectionName} as well` }] : []),
  ];
}
