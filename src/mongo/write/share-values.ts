import { DOCUMENT_ID } from '../../content-types/model/system-attributes.js';
import type { RelationAttribute } from '../../content-types/model/types.js';
import type { SharedValues } from '../../query/mutation.js';
import type { EntryEdit } from '../stored/entry-edit.js';
import { linksIn, setLinks } from '../stored/links.js';
import { UPDATED_BY } from '../stored/writers.js';
import type { EntryEdits } from './entry-edits.js';

/** Locks the localizations of an entry: others may have joined them before they were locked. */
export async function lockGroup(edits: EntryEdits, { type, id, joined }: SharedValues): Promise<void> {
  const known = new Set<number>();
  let next = [...joined, id];
  while (next.length > 0) {
    await edits.lock(next.filter((one) => one !== id).map((one) => ({ collection: type.collectionName, id: one })));
    for (const one of next) known.add(one);
    const found = next.flatMap((one) => edits.find(type, one) ?? []);
    next = found
      .flatMap((edit) => linksIn(edit, 'localizations'))
      .flatMap((link) => (known.has(link.id) ? [] : [link.id]));
  }
}

/** See `SharedValues`. */
export function shareValues(edits: EntryEdits, write: SharedValues): void {
  const { type, id, joined, at } = write;
  const own = edits.find(type, id);
  if (own === undefined) return;
  const group = joined.length > 0 ? joinGroup(edits, write, own) : linksIn(own, 'localizations').map((link) => link.id);
  const others = group.flatMap((other) => edits.find(type, other) ?? []);
  for (const other of others) {
    for (const name of write.written) other.set(name, own.get(name));
    const former = other.get('updatedAt');
    if (former instanceof Date && former >= at) continue;
    other.set('updatedAt', at);
    other.set(UPDATED_BY, own.get(UPDATED_BY));
  }
}

/** Links a new localization and those that it joins to each other, and gives it their values. Returns these. */
function joinGroup(
  edits: EntryEdits,
  { type, id, joined, written, shared }: SharedValues,
  own: EntryEdit,
): readonly number[] {
  const attribute = type.attributes.get('localizations') as RelationAttribute;
  const linked = joined.flatMap((one) => {
    const edit = edits.find(type, one);
    return edit === undefined ? [] : [one, ...linksIn(edit, 'localizations').map((link) => link.id)];
  });
  const present = linksIn(own, 'localizations').map((link) => link.id);
  const members = [...new Set([...linked, ...present])].filter((one) => one !== id);
  const all = new Map([...members.map((one) => [one, edits.find(type, one)] as const), [id, own] as const]);
  const [source] = members.flatMap((one) => all.get(one) ?? []);
  if (source !== undefined) for (const name of shared) if (!written.includes(name)) own.set(name, source.get(name));
  const documentId = type.documentId && source?.get(type.documentId.name);
  if (documentId !== undefined) for (const edit of all.values()) edit?.set(DOCUMENT_ID, documentId);
  for (const [one, edit] of all) {
    if (edit === undefined) continue;
    // The new one comes first, as in Strapi v4.
    const former = one === id ? [] : [id, ...linksIn(edit, 'localizations').map((link) => link.id)];
    const links = [...new Set([...former, ...all.keys()])].flatMap((other) => {
      const its = all.get(other);
      return other === one || its === undefined ? [] : [{ id: other, rank: its.get('locale') as string }];
    });
    setLinks(edit, attribute, links);
  }
  return members;
}
