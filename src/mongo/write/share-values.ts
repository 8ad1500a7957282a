import { DOCUMENT_ID } from '../../content-types/model/system-attributes.js';
import type { ContentType, RelationAttribute } from '../../content-types/model/types.js';
import { holdsComponents, type EmbeddingAttribute } from '../../content-types/model/walk.js';
import { AppError } from '../../errors/app-error.js';
import type { Issue } from '../../errors/codes.js';
import { noChanges, type SharedValues, type StoredValue } from '../../query/mutation.js';
import type { EntryEdit } from '../stored/entry-edit.js';
import { isSharedAlike, withComponentIds } from '../stored/localized-value.js';
import { linksIn, setLinks } from '../stored/links.js';
import { UPDATED_BY } from '../stored/writers.js';
import { changeEntry } from './change-entry.js';
import type { EntryEdits } from './entry-edits.js';
import type { WriteParts } from './write-one.js';

/** The refusal of a draft whose value would change a localization that is published. */
export const publishedElsewhere = (name: string): Issue => ({
  path: [name],
  message: `${name} has another value in a localization that is published: save it once this draft exists`,
});

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

type Parts = Pick<WriteParts, 'componentIds'>;

/** See `SharedValues`. @throws AppError validation for a value that would change what is published */
export async function shareValues(parts: Parts, edits: EntryEdits, write: SharedValues): Promise<void> {
  const { type, id, joined, at, written, sparesPublished } = write;
  const own = edits.find(type, id);
  if (own === undefined) return;
  const group =
    joined.length > 0
      ? await joinGroup(parts, edits, write, own)
      : linksIn(own, 'localizations').map((link) => link.id);
  const others = group.flatMap((other) => edits.find(type, other) ?? []);
  for (const other of others) {
    if (sparesPublished === true && other.get('_live') !== undefined) assertAlike(type, own, other, written);
    await giveValues(parts, type, own, other, written);
    const former = other.get('updatedAt');
    if (former instanceof Date && former >= at) continue;
    other.set('updatedAt', at);
    other.set(UPDATED_BY, own.get(UPDATED_BY));
  }
}

/** @throws AppError validation, naming the attributes */
function assertAlike({ attributes }: ContentType, own: EntryEdit, other: EntryEdit, names: readonly string[]): void {
  const differing = names.filter((name) => !isSharedAlike(attributes.get(name), own.get(name), other.get(name)));
  if (differing.length > 0) throw new AppError('validation', differing.map(publishedElsewhere));
}

/** Gives an entry what it shares with another one. Components that differ in nothing but their ids stay. */
async function giveValues(
  parts: Parts,
  type: ContentType,
  from: EntryEdit,
  to: EntryEdit,
  names: readonly string[],
): Promise<void> {
  const values = new Map<string, StoredValue | undefined>();
  for (const name of names) {
    const attribute = type.attributes.get(name);
    const value = from.get(name) as StoredValue | undefined;
    if (!holdsComponents(attribute)) values.set(name, value);
    else if (!isSharedAlike(attribute, value, to.get(name))) values.set(name, await copied(parts, value, attribute));
  }
  changeEntry(to, type, { ...noChanges, values });
}

/** Components like these, with ids of their own. */
async function copied(
  { componentIds }: Parts,
  value: StoredValue | undefined,
  attribute: EmbeddingAttribute,
): Promise<StoredValue | undefined> {
  const counts = new Map<string, number>();
  withComponentIds(value, attribute, (uid) => {
    counts.set(uid, (counts.get(uid) ?? 0) + 1);
    return 0;
  });
  const next = new Map(await componentIds.reserve(counts));
  return withComponentIds(value, attribute, (uid) => {
    const id = next.get(uid) ?? 0;
    next.set(uid, id + 1);
    return id;
  }) as StoredValue | undefined;
}

/** Links a new localization and those that it joins to each other, and gives it their values. Returns these. */
async function joinGroup(
  parts: Parts,
  edits: EntryEdits,
  { type, id, joined, written, shared }: SharedValues,
  own: EntryEdit,
): Promise<readonly number[]> {
  const attribute = type.attributes.get('localizations') as RelationAttribute;
  const linked = joined.flatMap((one) => {
    const edit = edits.find(type, one);
    return edit === undefined ? [] : [one, ...linksIn(edit, 'localizations').map((link) => link.id)];
  });
  const present = linksIn(own, 'localizations').map((link) => link.id);
  const members = [...new Set([...linked, ...present])].filter((one) => one !== id);
  const all = new Map([...members.map((one) => [one, edits.find(type, one)] as const), [id, own] as const]);
  const [source] = members.flatMap((one) => all.get(one) ?? []);
  const received = shared.filter((name) => !written.includes(name));
  if (source !== undefined) await giveValues(parts, type, source, own, received);
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
