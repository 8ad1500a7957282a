import type { ContentType } from '../content-types/model/types.js';
import type { AttributeNames } from './dependencies.js';
import type { EntryName, ReferenceRemoval, Write } from './mutation.js';

/** What a write changed: one entry, or anything of a content type. */
export interface Change {
  /** The uid of the content type. */
  readonly type: string;
  /** The only entry; undefined: any. */
  readonly id?: number;
  /**
   * The attributes of an entry that exists before and after; undefined: all, and its existence. `id` stands for the existence of an entry that is
   * not published.
   */
  readonly names?: readonly string[];
}

/** The ids of entries by the uids of their content types. */
export type EntryIds = ReadonlyMap<string, ReadonlySet<number>>;

/** What a write changes when it is executed. */
export function changeOf(write: Write | ReferenceRemoval): Change {
  const type = write.type.uid;
  if (write.kind === 'insert') return existenceOf(write, write.changes.values.get('publishedAt') !== undefined);
  if (write.kind === 'remove') return { type, id: write.id };
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

/** A new or deleted entry. */
export const existenceOf = ({ type: { uid: type, draftAndPublish }, id }: EntryName, isPublished: boolean): Change =>
  draftAndPublish && !isPublished ? { type, id, names: ['id'] } : { type, id };

/** Changes of anything in these types. */
export const changesOf = (types: Iterable<ContentType>): readonly Change[] =>
  [...new Set(types)].map(({ uid }) => ({ type: uid }));

/** The attributes that decide about lists, of which an entry that is new or deleted changes the existence. */
export const EXISTENCE: readonly string[] = ['id', 'publishedAt'];

/** The entries of a type in a result. */
export interface Contained {
  readonly ids: ReadonlySet<number>;
  /** Their attributes in it; their existence is always. */
  readonly shown: AttributeNames;
}

/**
 * Whether a result may be different after a change of a type on which it depends.
 * @param decisive the dependencies of the result on this type
 */
export function affects({ id, names }: Change, decisive: AttributeNames, { ids, shown }: Contained): boolean {
  if (id === undefined || decisive === 'all') return true;
  const changed = names ?? EXISTENCE;
  if (changed.some((name) => decisive.has(name))) return true;
  return (
    ids.has(id) && (names === undefined || shown === 'all' || names.some((name) => name === 'id' || shown.has(name)))
  );
}

export function uniteIds(parts: readonly EntryIds[]): EntryIds {
  const ids = new Map<string, Set<number>>();
  for (const [type, ofPart] of parts.flatMap((part) => [...part])) {
    ids.set(type, new Set([...(ids.get(type) ?? []), ...ofPart]));
  }
  return ids;
}
