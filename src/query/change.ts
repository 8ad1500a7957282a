import type { ContentType } from '../content-types/model/types.js';
import type { AttributeNames } from './dependencies.js';
import type { ReferenceRemoval, Write } from './mutation.js';

/** What a write changed: one entry, or anything of a content type. */
export interface Change {
  /** The uid of the content type. */
  readonly type: string;
  /** The only entry; undefined: any. */
  readonly id?: number;
  /** The attributes of an entry that exists before and after; undefined: all, and its existence. */
  readonly names?: readonly string[];
}

/** The ids of entries by the uids of their content types. */
export type EntryIds = ReadonlyMap<string, ReadonlySet<number>>;

/** What a write changes when it is executed. */
export function changeOf(write: Write | ReferenceRemoval): Change {
  const type = write.type.uid;
  if (write.kind === 'insert' || write.kind === 'remove') return { type, id: write.id };
  if (write.kind !== 'update') return { type };
  const { values, merges, links, references } = write.changes;
  const paths = [...references.paths.map(({ path }) => path), ...references.add.map(({ a }) => a)];
  const removed = references.remove.map(({ a }) => a);
  const names = new Set([
    ...values.keys(),
    ...merges.keys(),
    ...links.map(({ attribute }) => attribute.name),
    ...[...paths, ...removed].map((path) => path.split('.', 1)[0] ?? path),
  ]);
  return { type, id: write.id, names: [...names] };
}

/** Changes of anything in these types. */
export const changesOf = (types: Iterable<ContentType>): readonly Change[] =>
  [...new Set(types)].map(({ uid }) => ({ type: uid }));

/**
 * Whether a result may be different after a change of a type on which it depends.
 * @param decisive the dependencies of the result on this type
 * @param ids the entries of this type in the result
 */
export function affects({ id, names }: Change, decisive: AttributeNames, ids: ReadonlySet<number>): boolean {
  if (id === undefined || decisive === 'all' || ids.has(id)) return true;
  // Without names, the entry is new or deleted.
  return names === undefined ? decisive.has('id') : names.some((name) => decisive.has(name));
}

export function uniteIds(parts: readonly EntryIds[]): EntryIds {
  const ids = new Map<string, Set<number>>();
  for (const [type, ofPart] of parts.flatMap((part) => [...part])) {
    ids.set(type, new Set([...(ids.get(type) ?? []), ...ofPart]));
  }
  return ids;
}
