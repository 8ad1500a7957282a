import type { Document } from 'mongodb';
import { DOCUMENT_ID } from '../../content-types/model/system-attributes.js';
import { isLocalized, sharedAttributes } from '../../content-types/model/localized.js';
import { entryTypeOf, hiddenTypesOf } from '../../content-types/model/stored-types.js';
import type { ContentType, Registry } from '../../content-types/model/types.js';
import type { EntryName, PrimaryWrite, Rank, SharedValues } from '../../query/mutation.js';
import type { Receipt } from '../../query/receipt.js';
import { editOf, listIn, type EntryEdit } from '../stored/entry-edit.js';
import { linkOwner, linksIn, setLinks } from '../stored/links.js';
import { changeAtReference } from '../stored/reference-path.js';
import { isIndexed, REFERENCES, referenceTo } from '../stored/relation.js';
import { LINKED_FROM, presentDocument, UNKEPT_LINKS, type FormerLink } from '../stored/trash.js';
import { changesIn } from '../stored/working-copy.js';
import { UPDATED_BY } from '../stored/writers.js';
import type { EntryKey } from '../transactions/format.js';
import type { Transaction } from '../transactions/transaction.js';
import { openEdits, type EntryEdits } from './entry-edits.js';
import { lockGroup, shareValues } from './share-values.js';
import { idsOf, takenTargets, type WriteParts } from './write-one.js';

/** A link between the restored entry and another one. */
export interface LinkOfOther extends EntryName {
  /** The attribute of the other entry, or a path in it. */
  readonly path: string;
}

/** What came back with an entry. */
export interface RestoredEntry {
  /** The links of others that it has again. */
  readonly links: readonly LinkOfOther[];
  /**
   * Those that it has not: the other entry has another one by now, or is gone, or cannot have it any more; or it has
   * the target of this one.
   */
  readonly lost: readonly LinkOfOther[];
  /** How many links of others were not kept. */
  readonly unkept: number;
}

/** When and by which user an entry is restored. */
export interface Restoration {
  readonly at: Date;
  readonly by: number | undefined;
  /** Stored with the restoration. */
  readonly receipt?: Receipt | undefined;
  /**
   * Its `documentId` if it has none, and the one that it gets where it cannot be in its group any more; absent: the
   * type has none.
   */
  readonly documentIds?: { readonly own: string; readonly alone: string };
}

type Types = Registry['contentTypes'];

/**
 * Puts an entry from the trash back, with its id, its links and those that others had to it; of a type with drafts as a
 * draft. A link that somebody else has by now stays there. Undefined: it is not in the trash.
 * @throws the driver's error for a unique value that another entry has, see `duplicateOf`; Locked
 */
export function restoreFromTrash(
  parts: WriteParts,
  types: Types,
  name: EntryName,
  restoration: Restoration,
): Promise<RestoredEntry | undefined> {
  return parts.transactions.joinOrRepeat((transaction) =>
    transaction.inTurn(() => restoreIn(parts, transaction, types, name, restoration)),
  );
}

async function restoreIn(
  parts: WriteParts,
  transaction: Transaction,
  types: Types,
  { type, id }: EntryName,
  { at, by, documentIds, receipt: signature }: Restoration,
): Promise<RestoredEntry | undefined> {
  const { trash } = type;
  if (trash === undefined) return undefined;
  const [deleted] = await transaction.lock([{ collection: trash.type.collectionName, id }]);
  if (deleted === undefined) return undefined;
  const links = heldLinksIn(deleted, types);
  const present = presentDocument(deleted, type.draftAndPublish);
  const entry = editOf({ ...present, _id: id, updatedAt: at, ...(by !== undefined && { [UPDATED_BY]: by }) });
  const primary: PrimaryWrite = { kind: 'insert', type, id, document: { ...entry.document(), _id: id } };
  const taken = takenTargets(primary);
  const edits = openEdits(
    transaction,
    primary,
    [],
    [trash.type, ...links.flatMap(({ entryType }) => placesOf(entryType))],
  );
  await edits.lock([
    ...taken.map(({ attribute, id: target }) => ({ collection: attribute.target.collectionName, id: target })),
    ...links.flatMap(({ holder, id: other }) =>
      placesOf(holder).map((place) => ({ collection: place.collectionName, id: other })),
    ),
    ...linksIn(entry, 'localizations').map((link) => ({ collection: type.collectionName, id: link.id })),
  ]);
  const lost: LinkOfOther[] = [];
  for (const { attribute, id: target } of taken) {
    const others = await idsOf(parts, type.collectionName, { [attribute.name]: target });
    if (others.length > 0) setLinks(entry, attribute, []);
    lost.push(...others.map((other) => ({ type, id: other, path: attribute.name })));
  }
  edits.insert({ type, id }, entry);
  if (documentIds !== undefined && entry.get(DOCUMENT_ID) === undefined) entry.set(DOCUMENT_ID, documentIds.own);
  const others = await joinLocalizations(parts, edits, { type, id }, entry, links, at);
  if (documentIds !== undefined && others.length > 0) entry.set(DOCUMENT_ID, documentIds.alone);
  lost.push(...others);
  const ofOthers = links.filter((link) => !isOfLocalizations(link));
  const given = ofOthers.filter((link) => giveBack(edits, link, { type, id }));
  // The change of a copy is lost with the copy.
  const refused = ofOthers.filter((link) => link.holder.copyOf === undefined && !given.includes(link));
  lost.push(...refused.map((link) => ({ type: link.holder, id: link.id, path: link.path })));
  await edits.apply();
  edits.remove({ type: trash.type, id });
  await edits.apply();
  transaction.after([], edits.changes);
  const receipt = parts.receipts?.of(type, signature, 'restore');
  if (receipt !== undefined) transaction.sign([{ collection: type.collectionName, id, receipt }]);
  const unkept = Number(deleted[UNKEPT_LINKS] ?? 0);
  const regained = given.filter(({ holder }) => holder.copyOf === undefined);
  return { links: regained.map((link) => ({ type: link.holder, id: link.id, path: link.path })), lost, unkept };
}

/** A link that another entry had. */
interface HeldLink {
  /** The type of the other entry, or of its working copies. */
  readonly holder: ContentType;
  readonly entryType: ContentType;
  readonly id: number;
  readonly path: string;
  readonly position: number | undefined;
  readonly rank: Rank | undefined;
}

type StoredLink = Readonly<Partial<Record<keyof FormerLink, unknown>>>;

/** The links to a deleted entry; those of types that are gone are none. */
function heldLinksIn(deleted: Document, types: Types): readonly HeldLink[] {
  const holders = new Map(
    [...types.values()].flatMap((type) => [type, ...hiddenTypesOf(type)]).map((type) => [type.uid, type]),
  );
  // Numbers keep their types in what a transaction reads.
  return (listIn(deleted[LINKED_FROM]) as readonly StoredLink[]).flatMap(({ t, i, a, p, r }): readonly HeldLink[] => {
    const holder = holders.get(String(t));
    if (holder === undefined) return [];
    const rank = r === undefined || typeof r === 'string' ? r : Number(r);
    const position = p === undefined ? undefined : Number(p);
    return [{ holder, entryType: entryTypeOf(holder), id: Number(i), path: String(a), position, rank }];
  });
}

/** Where entries of a type are: there, or deleted. */
const placesOf = (type: ContentType): readonly ContentType[] =>
  type.trash === undefined ? [type] : [type, type.trash.type];

const isOfLocalizations = ({ path, entryType }: HeldLink): boolean =>
  path === 'localizations' && isLocalized(entryType);

/** Gives an entry its link again; false: it has another one by now, or is gone. */
function giveBack(edits: EntryEdits, link: HeldLink, { type, id }: EntryName): boolean {
  const { holder, entryType, path, position, rank } = link;
  const [edit] = placesOf(holder).flatMap((place) => edits.find(place, link.id) ?? []);
  if (edit === undefined) return false;
  // What a copy does not change follows its entry.
  if (holder.copyOf !== undefined && !changesIn(edit).has(path.split('.', 1)[0] ?? path)) return false;
  const attribute = entryType.attributes.get(path);
  if (attribute === undefined || !isIndexed(attribute)) return giveReferenceBack(edit, link, { type, id });
  if (attribute.target !== type) return false;
  const present = linksIn(edit, path);
  if (present.some((one) => one.id === id)) return true;
  if (!attribute.many && present.length > 0) return false;
  setLinks(edit, attribute, present.toSpliced(position ?? 0, 0, { id, rank }));
  return true;
}

/**
 * Gives an entry a link again that was in a component, a zone or a morph relation; false: its place has another one by
 * now, or is gone.
 */
function giveReferenceBack(edit: EntryEdit, link: HeldLink, { type, id }: EntryName): boolean {
  const { entryType, path, position = 0, rank } = link;
  let isGiven = false;
  const changed = changeAtReference(edit.document(), entryType.attributes, path, (value, attribute) => {
    const refers = attribute.kind === 'relation' && attribute.side === 'owner' && attribute.target === type;
    if (!refers && attribute.kind !== 'morph') return value;
    const own = attribute.kind === 'morph' ? { __type: type.uid, id } : id;
    if (!attribute.many && value !== undefined) return value;
    isGiven = true;
    return attribute.many ? listIn(value).toSpliced(position, 0, own) : own;
  });
  if (!isGiven) return false;
  const [name = path] = path.split('.', 1);
  edit.set(name, changed?.[name]);
  const reference = { a: path, r: referenceTo(type, id), ...(rank !== undefined && { n: rank }) };
  edit.set(REFERENCES, [...listIn(edit.get(REFERENCES)), reference]);
  return true;
}

/**
 * Joins the localizations of an entry again, whose shared values it gets. Returns those with its locale: then it stays
 * alone.
 */
async function joinLocalizations(
  parts: WriteParts,
  edits: EntryEdits,
  { type, id }: EntryName,
  entry: EntryEdit,
  links: readonly HeldLink[],
  at: Date,
): Promise<readonly LinkOfOther[]> {
  const attribute = type.attributes.get('localizations');
  if (!isLocalized(type) || attribute?.kind !== 'relation') return [];
  const own = linksIn(entry, 'localizations').map((link) => link.id);
  const others = links.filter(isOfLocalizations).map((link) => link.id);
  setLinks(entry, attribute, []);
  const locale = entry.get('locale') as string;
  const isThere = (other: number): boolean => edits.find(type, other) !== undefined;
  // A localization that is still deleted finds this one when it is restored.
  for (const other of others.filter((one) => !isThere(one))) {
    const deleted = type.trash && edits.find(type.trash.type, other);
    if (deleted !== undefined) linkOwner(deleted, attribute, id, locale);
  }
  // Those that joined its document while it was deleted are localizations of it, whatever links it had.
  const documentId = entry.get(DOCUMENT_ID);
  const ofDocument =
    documentId === undefined ? [] : await idsOf(parts, type.collectionName, { [DOCUMENT_ID]: documentId });
  await edits.lock(ofDocument.map((other) => ({ collection: type.collectionName, id: other })));
  const joined = [...new Set([...own, ...others, ...ofDocument])].filter((other) => other !== id && isThere(other));
  if (joined.length === 0) return [];
  const shared = sharedAttributes(type).map(({ name }) => name);
  const share: SharedValues = { kind: 'share', type, id, written: [], joined, shared, at };
  await lockGroup(edits, share);
  const taken = edits.all(type).filter((one) => one.id !== id && one.edit.get('locale') === locale);
  const isMember = (one: EntryKey): boolean =>
    joined.includes(one.id) ||
    joined.some((other) =>
      linksIn(edits.find(type, other) as EntryEdit, 'localizations').some((link) => link.id === one.id),
    );
  const members = taken.filter(isMember);
  if (members.length > 0) return members.map((one) => ({ type, id: one.id, path: 'localizations' }));
  await shareValues(parts, edits, share);
  return [];
}
