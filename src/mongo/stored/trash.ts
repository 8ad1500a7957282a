import type { Document } from 'mongodb';
import { PUBLICATION, REVIEW } from './review.js';
import { COPIED } from './working-copy.js';

/*
 * The stored form of deleted entries. A type with `trash` has a hidden type beside it, whose collection has each
 * deleted entry as a document: as it was in its latest state, with its id, when and by whom it was deleted, and the
 * links that others had to it. The other side of these is removed as by any deletion.
 */

/** When and by whom an entry was deleted. */
export const [DELETED_AT, DELETED_BY] = ['_deletedAt', '_deletedBy'] as const;

/** The field with the links that others had to the entry. */
export const LINKED_FROM = '_linkedFrom';

/** How many further links there were. */
export const UNKEPT_LINKS = '_unkeptLinks';

/** The most links to a deleted entry that are kept. */
export const MOST_LINKS = 1000;

/** A link that another entry had. */
export interface FormerLink {
  /** The uid of the type of the other entry, or of its working copies. */
  readonly t: string;
  readonly i: number;
  /** The attribute, or the path of a reference. */
  readonly a: string;
  /** Its position in a list. */
  readonly p?: number;
  readonly r?: number | string;
}

/** What only deleted entries have. */
export const fieldsOfTrash: readonly string[] = [DELETED_AT, DELETED_BY, LINKED_FROM, UNKEPT_LINKS];

/** What belongs to an entry only while it is there. */
const fieldsOfPresent: readonly string[] = [COPIED, '_changes', '_schedule', REVIEW, PUBLICATION, '_lock'];

const without = (document: Document, names: readonly string[]): Document =>
  Object.fromEntries(Object.entries(document).filter(([name]) => !names.includes(name)));

/** An entry as it is kept after its deletion. */
export const deletedDocument = (
  latest: Document,
  deletion: { readonly at: Date; readonly by: number | undefined },
  links: readonly FormerLink[],
): Document => ({
  ...without(latest, fieldsOfPresent),
  [DELETED_AT]: deletion.at,
  ...(deletion.by !== undefined && { [DELETED_BY]: deletion.by }),
  ...(links.length > 0 && { [LINKED_FROM]: links.slice(0, MOST_LINKS) }),
  ...(links.length > MOST_LINKS && { [UNKEPT_LINKS]: links.length - MOST_LINKS }),
});

/** An entry as it was before its deletion; of a type with drafts a draft, which no required value can refuse. */
export const presentDocument = (deleted: Document, isDraft: boolean): Document =>
  without(deleted, [...fieldsOfTrash, ...fieldsOfPresent, ...(isDraft ? ['_live', 'publishedAt'] : [])]);
