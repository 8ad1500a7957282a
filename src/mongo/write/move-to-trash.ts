import type { Document } from 'mongodb';
import { isRecord } from '../../config/record.js';
import { isLocalizations } from '../../content-types/model/localized.js';
import type { ContentType } from '../../content-types/model/types.js';
import { entryTypeOf } from '../../content-types/model/stored-types.js';
import type { Deletion, NewDocument, Reference, ReferenceRemoval } from '../../query/mutation.js';
import { editOf } from '../stored/entry-edit.js';
import { linksIn } from '../stored/links.js';
import { changeAtReference } from '../stored/reference-path.js';
import { REFERENCE_TARGETS, REFERENCES, referenceTo, RANKS } from '../stored/relation.js';
import { deletedDocument, type FormerLink } from '../stored/trash.js';
import { entriesOf, nameOf, type EntryKey } from '../transactions/format.js';
import type { WriteParts } from './write-one.js';

/** An entry in its latest state. @param copy its working copy, if it has one */
export const latestOf = (entry: Document, copy: Document | undefined): Document =>
  copy === undefined ? entry : { ...copy, ...('_sole' in entry && { _sole: entry['_sole'] as unknown }) };

/** An entry that is deleted, with the removals of the references to it. */
interface DeletedEntry {
  readonly type: ContentType;
  readonly id: number;
  readonly references: readonly ReferenceRemoval[];
}

/** How often the holders of links are searched: others may link the entry until it is locked. */
const SEARCHES = 3;

/**
 * The document of a locked entry in the trash. Locks the entries that have links to it, so that these are the links
 * which the deletion removes.
 * @param latest the entry, or its working copy
 */
export async function documentInTrash(
  parts: WriteParts,
  { type, id, references }: DeletedEntry,
  { latest, deletion }: { readonly latest: Document; readonly deletion: Deletion },
  lock: (keys: readonly EntryKey[]) => Promise<unknown>,
): Promise<NewDocument> {
  const locked = new Set<string>();
  let links: readonly FormerLink[] = [];
  for (let search = 0; search < SEARCHES; search += 1) {
    const held = await Promise.all(references.map((removal) => holdersOf(parts, removal, id)));
    const keys = held.flatMap(({ keys }) => keys).filter((key) => !isItself(key, type, id) && !locked.has(nameOf(key)));
    links = held.flatMap(({ links }) => links).filter((link) => !isOwn(link, type, id));
    if (keys.length === 0) break;
    await lock(keys);
    for (const key of keys) locked.add(nameOf(key));
  }
  return { ...deletedDocument(latest, deletion, links), _id: id };
}

/** Links of an entry to itself are removed as those of others are, and those of its copy go with it. */
const isItself = ({ collection, id }: EntryKey, type: ContentType, own: number): boolean =>
  id === own && [type.collectionName, type.copies?.collectionName].includes(collection);

const isOwn = ({ t, i }: FormerLink, { copies }: ContentType, id: number): boolean => i === id && t === copies?.uid;

/** The entries of which a removal takes links to an entry, and these links. */
async function holdersOf(
  { db, timeout }: WriteParts,
  removal: ReferenceRemoval,
  id: number,
): Promise<{ readonly keys: readonly EntryKey[]; readonly links: readonly FormerLink[] }> {
  const { type: holder } = removal;
  const name = removal.kind === 'unlink' ? removal.attribute.name : REFERENCE_TARGETS;
  const filter = { [name]: removal.kind === 'unlink' ? id : referenceTo(removal.target, id) };
  const options = {
    ...(removal.kind === 'unlink' && { projection: { [name]: 1, [RANKS]: 1 } }),
    maxTimeMS: timeout,
    readPreference: 'primary',
  } as const;
  const found: readonly Document[] = await entriesOf(db, holder.collectionName).find(filter, options).toArray();
  // Those of deleted entries count as theirs again when they are restored.
  const t = (holder.trashOf ?? holder).uid;
  return {
    keys: found.map(({ _id }) => ({ collection: holder.collectionName, id: Number(_id) })),
    links: found.flatMap((document): readonly FormerLink[] => {
      const i = Number(document['_id']);
      if (removal.kind === 'forget') return referencesTo(document, removal, { t, i });
      // The copies of localizations follow them.
      if (holder.copyOf !== undefined && isLocalizations(removal.attribute, entryTypeOf(holder))) return [];
      const links = linksIn(editOf(document), name);
      const p = links.findIndex((link) => link.id === id);
      const rank = links[p]?.rank;
      return [{ t, i, a: name, ...(removal.attribute.many && { p }), ...(rank !== undefined && { r: rank }) }];
    }),
  };
}

type Forgetting = ReferenceRemoval & { readonly kind: 'forget' };

/** The links of a holder in components, zones and morph relations, with their positions in lists. */
const referencesTo = (
  document: Document,
  { type, target, id }: Forgetting,
  holder: Pick<FormerLink, 't' | 'i'>,
): readonly FormerLink[] =>
  (document[REFERENCES] as readonly Reference[])
    .filter(({ r }) => r === referenceTo(target, id))
    .map(({ a, n }) => {
      let position = -1;
      changeAtReference(document, type.attributes, a, (value) => {
        position = Array.isArray(value) ? value.findIndex((link) => idIn(link) === id) : -1;
        return value;
      });
      return { ...holder, a, ...(position >= 0 && { p: position }), ...(n !== undefined && { r: n }) };
    });

const idIn = (link: unknown): number => Number(isRecord(link) ? link['id'] : link);
