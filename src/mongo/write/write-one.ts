import type { Db, Document } from 'mongodb';
import { changeOf } from '../../query/change.js';
import type { Query } from '../../query/ast.js';
import type { LazyEntry } from '../../query/entry-presenter.js';
import type { PrimaryWrite, ReferenceRemoval, Write } from '../../query/mutation.js';
import type { Versions } from '../cache/versions.js';
import { compileRemoval } from '../compile/write/reference-removal.js';
import type { Missing, Targets } from '../read/missing-targets.js';
import { openDraft } from '../stored/draft.js';
import { insertedDocument } from '../stored/inserted-document.js';
import { isExclusive } from '../stored/relation.js';
import { updateOf } from '../transactions/apply-changes.js';
import { entriesOf, lockOf, unlocked, withoutLock, type EntryKey } from '../transactions/format.js';
import type { FieldChanges } from '../transactions/entry-change.js';
import type { Transactions } from '../transactions/transactions.js';
import { changeEntry, needsStored } from './change-entry.js';
import type { Counters } from './counters.js';

/** The dependencies of writes. */
export interface WriteParts {
  readonly db: Db;
  readonly transactions: Transactions;
  readonly versions: Versions;
  readonly counters: Pick<Counters, 'reserve'>;
  readonly readResponse: (query: Query) => Promise<LazyEntry | undefined>;
  readonly findMissing: (targets: Targets) => Promise<Missing>;
  /** Maximum time of a command, in milliseconds. */
  readonly timeout: number;
}

export const keyOf = ({ type, id }: Pick<PrimaryWrite, 'type' | 'id'>): EntryKey => ({
  collection: type.collectionName,
  id,
});

/** Whether these writes change one entry only: then no transaction is needed. */
export function isOne([primary, ...others]: readonly Write[]): boolean {
  if (primary === undefined || others.length > 0) return false;
  if (primary.kind === 'remove') return primary.references.length === 0;
  if (primary.kind !== 'insert' && primary.kind !== 'update') return false;
  return !primary.changes.links.some(({ attribute, connect }) => isExclusive(attribute) && connect.length > 0);
}

/**
 * Writes one entry; returns how many it found. An update or a removal waits for the transaction that has locked the entry.
 * @param condition an entry that does not match it is not found
 * @throws the driver's error, see `duplicateOf`; Locked; AppError as `changeEntry`
 */
export async function writeOne(parts: WriteParts, write: PrimaryWrite, condition?: Document): Promise<number> {
  const { transactions } = parts;
  const { type, id } = write;
  if (write.kind === 'insert') {
    await transactions.insert(type.collectionName, insertedDocument(id, write.changes));
    return 1;
  }
  const key = keyOf(write);
  const conditions = [
    ...(condition === undefined ? [] : [condition]),
    ...(write.kind === 'update' && write.alone === true ? [{ localizations: { $exists: false } }] : []),
  ];
  const filter = { _id: id, ...(conditions.length > 0 && { $and: conditions }) };
  const attempt = (): Promise<number | 'again'> => {
    if (write.kind === 'remove') return removeOne(parts, key, filter);
    if (!needsStored(write.changes)) return updateOne(parts, key, filter, write.changes.values);
    return changeOne(parts, key, filter, write);
  };
  const writeFree = async (): Promise<number> => {
    for (;;) {
      const matched = await attempt();
      if (matched === 'again') continue;
      if (matched > 0 || !(await transactions.awaitUnlocked([key]))) return matched;
    }
  };
  // What depends on stored values is written in turns: otherwise all but one of those at the same time would have to read again.
  const isComputed = write.kind === 'update' && needsStored(write.changes);
  return isComputed || transactions.isHeld(key) ? transactions.inOrder(key, writeFree) : writeFree();
}

async function removeOne({ db, timeout }: WriteParts, { collection }: EntryKey, filter: Document): Promise<number> {
  const { deletedCount } = await entriesOf(db, collection).deleteOne(
    { ...filter, ...unlocked },
    { maxTimeMS: timeout },
  );
  return deletedCount;
}

async function updateOne(
  { db, timeout: maxTimeMS }: WriteParts,
  { collection }: EntryKey,
  filter: Document,
  fields: FieldChanges,
): Promise<number> {
  const free = { ...filter, ...unlocked };
  const entries = entriesOf(db, collection);
  if (fields.size === 0) return entries.countDocuments(free, { maxTimeMS });
  return (await entries.updateOne(free, updateOf(fields), { maxTimeMS })).matchedCount;
}

/** Reads the entry, and changes it if the fields that the result depends on are still the same. */
async function changeOne(
  parts: WriteParts,
  key: EntryKey,
  filter: Document,
  { type, changes }: PrimaryWrite & { readonly kind: 'update' },
): Promise<number | 'again'> {
  const { db, timeout: maxTimeMS } = parts;
  const options = { maxTimeMS, promoteValues: false, readPreference: 'primary' } as const;
  const stored = await entriesOf(db, key.collection).findOne(filter, options);
  if (stored === null) return 0;
  if (lockOf(stored) !== undefined) return 0;
  const draft = openDraft(withoutLock(stored));
  changeEntry(draft, type, changes);
  const computed = [...draft.fields.keys()].filter((name) => !changes.values.has(name));
  const same = computed.map((name) => ({ [name]: { $eq: (stored as Document)[name] ?? null } }));
  const conditions = [...((filter['$and'] as readonly Document[] | undefined) ?? []), ...same];
  const unchanged = { ...filter, ...(conditions.length > 0 && { $and: conditions }) };
  return (await updateOne(parts, key, unchanged, draft.fields)) > 0 ? 1 : 'again';
}

/** A removal of references as a step of a transaction. */
export const removalStep = (removal: ReferenceRemoval) =>
  ({
    kind: 'update',
    collection: removal.type.collectionName,
    ...compileRemoval(removal),
    change: changeOf(removal),
  }) as const;
