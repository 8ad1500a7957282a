import { sharedAttributes, isLocalized } from '../../content-types/model/localized.js';
import type { ContentType } from '../../content-types/model/types.js';
import {
  noChanges,
  type Changes,
  type PrimaryWrite,
  type SharedValues,
  type TakenTarget,
} from '../../query/mutation.js';
import { editOf, listIn, type EntryEdit } from '../stored/entry-edit.js';
import { arrangeIds } from '../stored/links.js';
import { isExclusive } from '../../content-types/model/exclusive.js';
import { isIndexed } from '../stored/relation.js';
import { REVIEW } from '../stored/review.js';
import { changesIn, COPIED, copyOf, followEntry, mergeCopy, noteChanges } from '../stored/working-copy.js';
import { UPDATED_BY } from '../stored/writers.js';
import type { EntryKey } from '../transactions/format.js';
import { changeEntry } from './change-entry.js';

type Update = PrimaryWrite & { readonly kind: 'update' };

/** The key of the copy of an entry. */
export const copyKey = ({ collectionName: collection }: ContentType, id: number): EntryKey => ({ collection, id });

/** Whether an entry as it is stored says that it has a copy. */
export const hasCopy = (entry: Pick<EntryEdit, 'get'>): boolean => Number(entry.get(COPIED) ?? 0) === 1;

/** Whether a write puts what a copy changes into its entry: only published entries have copies. */
export const mergesCopy = (write: PrimaryWrite): write is Update =>
  write.kind === 'update' &&
  (write.copy === 'merge' ||
    (write.changes.values.has('publishedAt') && write.changes.values.get('publishedAt') === undefined));

/**
 * Saves changes of an entry in its copy.
 * @param stored the copy that there is
 * @returns the copy; undefined if it would change nothing of the entry
 */
export function savedCopy(write: Update, entry: EntryEdit, stored: EntryEdit | undefined): EntryEdit | undefined {
  const { type, changes } = write;
  const copy = stored ?? editOf(copyOf(entry.document()));
  changeEntry(copy, type, changes);
  const written = [
    ...changes.values.keys(),
    ...changes.merges.keys(),
    ...changes.links.map(({ attribute }) => attribute.name),
  ];
  return noteChanges(
    entry,
    copy,
    written.filter((name) => type.attributes.has(name)),
  )
    ? copy
    : undefined;
}

/**
 * The attributes in which the copy of an entry that becomes a draft goes on changing it: values that it shares with
 * other languages are published there, so they wait until it is published again.
 */
const waitingNames = ({ type, copy }: Update, entry: Pick<EntryEdit, 'get'>): ReadonlySet<string> =>
  new Set(copy !== 'merge' && isLocalized(type) && entry.get('localizations') !== undefined ? sharedNames(type) : []);

const sharedNames = (type: ContentType): readonly string[] => sharedAttributes(type).map(({ name }) => name);

/**
 * A write of a draft without the values that have to wait in its copy, and the write of these; undefined: nothing has
 * to.
 * @param isShown whether one of its localizations is published
 */
export function splitHeld(
  write: Update,
  entry: EntryEdit,
  isShown: boolean,
): { now: Update; held: Update } | undefined {
  const { values, merges } = write.changes;
  const names = sharedNames(write.type).filter((name) => values.has(name) || merges.has(name));
  if (write.copy !== 'hold' || names.length === 0 || !(isShown || hasCopy(entry))) return undefined;
  const withValues = (isOf: (name: string) => boolean, changes: Changes): Update => ({
    ...write,
    changes: {
      ...changes,
      values: new Map([...values].filter(([name]) => isOf(name))),
      merges: new Map([...merges].filter(([name]) => isOf(name))),
    },
  });
  return {
    now: withValues((name) => !names.includes(name), write.changes),
    held: withValues((name) => names.includes(name), noChanges),
  };
}

/** Writes an entry, and what its copy changes before that, if it is merged. */
export function changeWithCopy(write: Update, entry: EntryEdit, copy: EntryEdit | undefined): void {
  const [review, wasLive] = [entry.get(REVIEW), entry.get('_live') !== undefined];
  if (copy !== undefined && mergesCopy(write)) mergeCopy(copy, entry, waitingNames(write, entry));
  if (copy !== undefined && write.copy === 'discard') entry.set(COPIED, undefined);
  changeEntry(entry, write.type, write.changes);
  // Who changes what is published does not publish what is prepared: that is still asked for.
  if (review !== undefined && wasLive && hasCopy(entry) && write.changes.values.has('publishedAt'))
    entry.set(REVIEW, review);
}

/** Gives the copy of an entry what the entry has by now. */
export function followWritten(type: ContentType, entry: EntryEdit, copy: EntryEdit): void {
  followEntry(type, entry, copy);
  for (const name of ['updatedAt', UPDATED_BY]) if (entry.fields.has(name)) copy.set(name, entry.get(name));
}

/** What the copy of an entry brings into it with a write that merges it. */
const mergedNames = (write: Update, entry: EntryEdit, copy: Pick<EntryEdit, 'get'>): readonly string[] => {
  const waiting = waitingNames(write, entry);
  return [...changesIn(copy)].filter((name) => !waiting.has(name));
};

/** What an entry takes from others with its copy: not what the write itself links in its place, or removes again. */
export function takenByCopy(
  write: PrimaryWrite,
  entry: EntryEdit | undefined,
  copy: Pick<EntryEdit, 'get'> | undefined,
): readonly TakenTarget[] {
  if (entry === undefined || copy === undefined || !mergesCopy(write)) return [];
  return mergedNames(write, entry, copy).flatMap((name): readonly TakenTarget[] => {
    const attribute = write.type.attributes.get(name);
    if (attribute === undefined || !isIndexed(attribute) || !isExclusive(attribute)) return [];
    const prepared = listIn(copy.get(name)).map(Number);
    const change = write.changes.links.find((links) => links.attribute === attribute);
    const [id] = change === undefined ? prepared : arrangeIds(prepared, false, change);
    return id === undefined ? [] : [{ attribute, id }];
  });
}

/** The values that go to the localizations of an entry with its copy; undefined: none. */
export function sharedByCopy(
  write: PrimaryWrite,
  entry: EntryEdit | undefined,
  copy: Pick<EntryEdit, 'get'> | undefined,
): SharedValues | undefined {
  if (entry === undefined || copy === undefined || !mergesCopy(write) || !isLocalized(write.type)) return undefined;
  const { type, id, changes } = write;
  const merged = mergedNames(write, entry, copy);
  const written = sharedNames(type).filter((name) => merged.includes(name));
  const at = changes.values.get('updatedAt');
  if (written.length === 0 || !(at instanceof Date)) return undefined;
  return { kind: 'share', type, id, written, joined: [], shared: [], at };
}
