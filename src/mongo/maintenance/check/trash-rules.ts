import type { Db } from 'mongodb';
import type { ContentType } from '../../../content-types/model/types.js';
import { DELETED_AT } from '../../stored/trash.js';
import { describeValue } from './stored-kinds.js';
import type { Scan } from './scan-entry.js';
import type { Rule } from './value-rules.js';
import type { Repair } from './violation.js';

/** A deleted entry says when it was deleted, and is not there any more. */
export async function deletedAreGone(db: Db, type: ContentType, scans: readonly Scan[]): Promise<Rule> {
  const { trashOf } = type;
  if (trashOf === undefined) return () => [];
  const ids = scans.map(({ document }) => Number(document['_id']));
  const found = await db
    .collection<{ _id: number }>(trashOf.collectionName)
    .find({ _id: { $in: ids } }, { projection: { _id: 1 } })
    .toArray();
  const present = new Set(found.map(({ _id }) => _id));
  return ({ document }) => {
    const id = Number(document['_id']);
    const at: unknown = document[DELETED_AT];
    return [
      ...(at instanceof Date ? [] : [{ path: DELETED_AT, rule: `must be a time, is ${describeValue(at)}` }]),
      ...(present.has(id)
        ? [
            {
              path: '',
              rule: `is in ${trashOf.collectionName} as well`,
              // It was deleted while an export read both.
              repair: { writes: [[{ kind: 'remove', type, id, references: [] }]] } satisfies Repair,
            },
          ]
        : []),
    ];
  };
}
