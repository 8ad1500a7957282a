import { BSON, type Document } from 'mongodb';
import { isRecord } from '../../config/record.js';
import { DOCUMENT_ID } from '../../content-types/model/system-attributes.js';
import type { ContentType } from '../../content-types/model/types.js';
import type { Reference, UniqueKey } from '../../query/mutation.js';
import { UNIQUE_KEYS } from './derived-lists.js';
import { listIn, someOf, type EntryEdit } from './entry-edit.js';
import { RANKS, REFERENCES } from './relation.js';

/*
 * The stored form of working copies. The copy of an entry is a complete document with the same id in a collection of
 * its own, `ContentType.copies`. All its attributes follow the entry, the main document, except for those that it names
 * in `_changes`.
 */

/** The field of an entry that has a working copy; it is 1. */
export const COPIED = '_copied';

/**
 * A condition: the entry has no working copy. An index answers it without the document if the field is its last key.
 */
export const notCopied: Document = { [COPIED]: { $ne: 1 } };

/** The field of a copy with the names of the attributes that it changes. */
export const CHANGES = '_changes';

/** Conditions, of which an entry with a working copy fulfils one, and its copy the other. */
export const isCopiedOrCopy: readonly Document[] = [{ [COPIED]: 1 }, { [CHANGES]: { $exists: true } }];

/** Attributes that copies never change: the times belong to the document, the others to the entry. */
const ofEntry: ReadonlySet<string> = new Set([
  'createdAt',
  'updatedAt',
  'publishedAt',
  'createdBy',
  'updatedBy',
  'locale',
  'localizations',
  DOCUMENT_ID,
]);

/** Whether a copy can change the attribute. */
export const isCopied = (name: string): boolean => !ofEntry.has(name);

/** Attributes that follow the main document without being changed by a copy. */
const alwaysFollow: readonly string[] = ['createdAt', 'publishedAt', 'locale', 'localizations'];

/** The fields that a document can store for a copy to follow. */
export const followedNames = ({ attributes, documentId }: ContentType): readonly string[] => [
  ...[...attributes.keys()].filter(isCopied),
  ...alwaysFollow.filter((name) => attributes.has(name)),
  '_live',
  ...(documentId === undefined ? [] : [DOCUMENT_ID]),
];

/** The names in a copy of the attributes that it changes. */
export const changesIn = (copy: Pick<EntryEdit, 'get'>): ReadonlySet<string> =>
  new Set(listIn(copy.get(CHANGES)).map(String));

/** Whether values are stored as the same bytes; undefined is not stored. */
export const isStoredAlike = (value: unknown, other: unknown): boolean => bytesOf(value) === bytesOf(other);

const bytesOf = (value: unknown): string => Buffer.from(BSON.serialize({ value })).toString('latin1');

/** Gives a document the attributes of another one as they are stored: with their ranks, references and unique keys. */
export function transferAttributes(from: Pick<EntryEdit, 'get'>, to: EntryEdit, names: ReadonlySet<string>): void {
  for (const name of names) if (!isStoredAlike(to.get(name), from.get(name))) to.set(name, from.get(name));
  const isTransferred = (name: string): boolean => names.has(name);
  transferPart(from, to, {
    field: RANKS,
    partsOf: (stored) => Object.entries(isRecord(stored) ? stored : {}),
    isTransferred: ([name]) => isTransferred(name),
    join: (parts) => (parts.length === 0 ? undefined : Object.fromEntries<unknown>(parts)),
  });
  for (const field of [REFERENCES, UNIQUE_KEYS])
    transferPart(from, to, {
      field,
      partsOf: (stored) => listIn(stored) as readonly (Reference | UniqueKey)[],
      isTransferred: ({ a }) => isTransferred(a.split('.', 1)[0] ?? a),
      join: someOf,
    });
}

/** Gives a copy what its entry has by now, in all attributes that it does not change. */
export function followEntry(type: ContentType, entry: Pick<EntryEdit, 'get'>, copy: EntryEdit): void {
  const changed = changesIn(copy);
  transferAttributes(entry, copy, new Set(followedNames(type).filter((name) => !changed.has(name))));
}

/** Gives an entry what its copy changes. It has none any more, unless some of this waits in it. */
export function mergeCopy(copy: EntryEdit, entry: EntryEdit, waiting: ReadonlySet<string>): void {
  const changed = [...changesIn(copy)];
  transferAttributes(copy, entry, new Set(changed.filter((name) => !waiting.has(name))));
  const left = changed.filter((name) => waiting.has(name));
  if (left.length === 0) entry.set(COPIED, undefined);
  else if (left.length < changed.length) copy.set(CHANGES, left);
}

/** What only entries have. */
const notInCopies: ReadonlySet<string> = new Set([COPIED, '_schedule', '_review', '_publication', '_sole', '_lock']);

/** A copy of an entry that changes nothing yet. */
export const copyOf = (entry: Document): Document =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => !notInCopies.has(name)));

/**
 * Notes which attributes a copy changes, after a write of some of them: one that has the value of the entry again
 * follows it again.
 * @returns whether there are any
 */
export function noteChanges(entry: Pick<EntryEdit, 'get'>, copy: EntryEdit, written: Iterable<string>): boolean {
  const names = [...new Set([...changesIn(copy), ...written])].filter(isCopied);
  const isSame = (name: string): boolean => isStoredAlike(copy.get(name), entry.get(name));
  transferAttributes(entry, copy, new Set(names.filter(isSame)));
  const changed = names.filter((name) => !isSame(name));
  copy.set(CHANGES, someOf(changed));
  return changed.length > 0;
}

/** A field that has parts of several attributes, in any order. */
interface SharedField<Part> {
  readonly field: string;
  readonly partsOf: (stored: unknown) => readonly Part[];
  readonly isTransferred: (part: Part) => boolean;
  readonly join: (parts: readonly Part[]) => unknown;
}

function transferPart<Part>(
  from: Pick<EntryEdit, 'get'>,
  to: EntryEdit,
  { field, partsOf, isTransferred, join }: SharedField<Part>,
): void {
  const own = partsOf(to.get(field));
  const given = partsOf(from.get(field)).filter(isTransferred);
  const inAnyOrder = (parts: readonly Part[]): string => parts.map(bytesOf).toSorted().join('');
  if (inAnyOrder(given) === inAnyOrder(own.filter(isTransferred))) return;
  to.set(field, join([...own.filter((part) => !isTransferred(part)), ...given]));
}
