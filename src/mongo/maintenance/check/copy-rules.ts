import type { Db, Document } from 'mongodb';
import { sharedAttributes } from '../../../content-types/model/localized.js';
import type { ContentType } from '../../../content-types/model/types.js';
import { noChanges, type StoredValue } from '../../../query/mutation.js';
import { editOf } from '../../stored/entry-edit.js';
import { CHANGES, changesIn, COPIED, followedNames, transferAttributes } from '../../stored/working-copy.js';
import type { Scan } from './scan-entry.js';
import type { Rule } from './value-rules.js';
import type { Repair } from './violation.js';

/**
 * An entry has a working copy exactly if it says so, and a copy has the values of its entry in all attributes that it
 * does not change.
 */
export async function copiesFollow(db: Db, type: ContentType, scans: readonly Scan[]): Promise<Rule> {
  const { copies, copyOf } = type;
  const counterpart = copies ?? copyOf;
  if (counterpart === undefined) return () => [];
  const ids = scans.map(({ document }) => Number(document['_id']));
  const found = await db
    .collection<{ _id: number }>(counterpart.collectionName)
    .find({ _id: { $in: ids } }, copyOf === undefined ? { projection: { _id: 1 } } : {})
    .toArray();
  const byId = new Map(found.map((document): [number, Document] => [document._id, document]));
  return ({ document }) => {
    const id = Number(document['_id']);
    const other = byId.get(id);
    if (copyOf !== undefined) return compare(document, other, { copies: type, type: copyOf });
    if ((document[COPIED] === 1) === (other !== undefined)) return [];
    return other === undefined
      ? [
          {
            path: COPIED,
            rule: `must be absent: ${counterpart.collectionName} has no copy`,
            repair: rewriting(type, id, [COPIED, undefined]),
          },
        ]
      : [{ path: COPIED, rule: 'must be 1: there is a copy', repair: removing(counterpart, id) }];
  };
}

function compare(
  copy: Document,
  entry: Document | undefined,
  { copies, type }: { readonly copies: ContentType; readonly type: ContentType },
): ReturnType<Rule> {
  const id = Number(copy['_id']);
  if (entry === undefined)
    return [
      {
        path: '',
        rule: `is the copy of ${type.collectionName} ${id}, which does not exist`,
        repair: removing(copies, id),
      },
    ];
  const edit = editOf(copy);
  const changed = changesIn(edit);
  const isShownElsewhere = (name: string): boolean => sharedAttributes(type).some((shared) => shared.name === name);
  if (entry['_live'] === undefined && ![...changed].every(isShownElsewhere))
    return [
      {
        path: CHANGES,
        rule: 'must name shared attributes only: the entry is a draft',
        // As the write that made a draft of it would have: it shows what was prepared.
        repair: rewriting(type, id, ['publishedAt', undefined]),
      },
    ];
  const followed = new Set(followedNames(type).filter((name) => !changed.has(name)));
  transferAttributes(editOf(entry), edit, followed);
  return [...edit.fields.keys()].map((path) => ({
    path,
    rule: `differs from ${type.collectionName} ${id}, which it must follow there`,
    repair: rewriting(type, id, ['updatedAt', entry['updatedAt'] as Date | undefined]),
  }));
}

/** A write of the entry, which its copy follows as always. */
const rewriting = (type: ContentType, id: number, value: readonly [string, StoredValue | undefined]): Repair => ({
  writes: [[{ kind: 'update', type, id, changes: { ...noChanges, values: new Map([value]) } }]],
});

/** What a copy changes without its entry saying so was published or discarded. */
const removing = (copies: ContentType, id: number): Repair => ({
  writes: [[{ kind: 'remove', type: copies, id, references: [] }]],
});
