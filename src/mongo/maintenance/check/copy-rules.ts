import type { Db, Document } from 'mongodb';
import { editOf } from '../../stored/entry-edit.js';
import { sharedAttributes } from '../../../content-types/model/localized.js';
import type { ContentType } from '../../../content-types/model/types.js';
import { CHANGES, changesIn, COPIED, followedNames, transferAttributes } from '../../stored/working-copy.js';
import type { Scan } from './scan-entry.js';
import type { Rule } from './value-rules.js';

/** An entry has a working copy exactly if it says so, and a copy has the values of its entry in all attributes that it does not change. */
export async function copiesFollow(db: Db, type: ContentType, scans: readonly Scan[]): Promise<Rule> {
  const counterpart = type.copies ?? type.copyOf;
  if (counterpart === undefined) return () => [];
  const ids = scans.map(({ document }) => Number(document['_id']));
  const found = await db
    .collection<{ _id: number }>(counterpart.collectionName)
    .find({ _id: { $in: ids } }, type.copyOf === undefined ? { projection: { _id: 1 } } : {})
    .toArray();
  const byId = new Map(found.map((document): [number, Document] => [document._id, document]));
  return ({ document }) => {
    const other = byId.get(Number(document['_id']));
    if (type.copyOf !== undefined) return compare(document, other, type.copyOf);
    if ((document[COPIED] === 1) === (other !== undefined)) return [];
    const rule =
      other === undefined ? `must be absent: ${counterpart.collectionName} has no copy` : 'must be 1: there is a copy';
    return [{ path: COPIED, rule }];
  };
}

function compare(copy: Document, entry: Document | undefined, type: ContentType): ReturnType<Rule> {
  const id = String(copy['_id']);
  if (entry === undefined)
    return [{ path: '', rule: `is the copy of ${type.collectionName} ${id}, which does not exist` }];
  const edit = editOf(copy);
  const changed = changesIn(edit);
  const isShownElsewhere = (name: string): boolean => sharedAttributes(type).some((shared) => shared.name === name);
  if (entry['_live'] === undefined && ![...changed].every(isShownElsewhere))
    return [{ path: CHANGES, rule: 'must name shared attributes only: the entry is a draft' }];
  const followed = new Set(followedNames(type).filter((name) => !changed.has(name)));
  transferAttributes(editOf(entry), edit, followed);
  return [...edit.fields.keys()].map((path) => ({
    path,
    rule: `differs from ${type.collectionName} ${id}, which it must follow there`,
  }));
}
