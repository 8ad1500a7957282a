import type { Db, Document } from 'mongodb';
import type { ContentType } from '../../content-types/model/types.js';
import { changeOf } from '../../query/change.js';
import type { Query } from '../../query/ast.js';
import type { LazyEntry } from '../../query/entry-presenter.js';
import type { Deletion, NewDocument, PrimaryWrite, ReferenceRemoval } from '../../query/mutation.js';
import type { Receipt } from '../../query/receipt.js';
import type { Versions } from '../cache/versions.js';
import { compileRemoval } from '../compile/write/reference-removal.js';
import type { Missing, Targets } from '../read/missing-targets.js';
import { editOf } from '../stored/entry-edit.js';
import { RECEIPTS, withoutReceipts } from '../stored/receipts.js';
import { isExclusive } from '../../content-types/model/exclusive.js';
import { isIndexed } from '../stored/relation.js';
import { COPIED } from '../stored/working-copy.js';
import { updateOf, type FieldChanges } from '../transactions/apply-changes.js';
import { entriesOf, lockOf, unlocked, withoutLock, type EntryKey } from '../transactions/format.js';
import type { Transactions } from '../transactions/transactions.js';
import { changeEntry, needsStored } from './change-entry.js';
import type { ComponentIds } from './component-ids.js';
import type { Counters } from './counters.js';
import type { Receipts } from './receipts.js';

/** The dependencies of writes. */
export interface WriteParts {
  readonly db: Db;
  readonly transactions: Transactions;
  readonly versions: Versions;
  readonly counters: Pick<Counters, 'reserve'>;
  readonly componentIds: Pick<ComponentIds, 'reserve'>;
  readonly readResponse: (query: Query) => Promise<LazyEntry | undefined>;
  readonly findMissing: (targets: Targets) => Promise<Missing>;
  /** Undefined: writes have none. */
  readonly receipts: Receipts | undefined;
  /** Maximum time of a command, in milliseconds. */
  readonly timeout: number;
}

export const keyOf = ({ type, id }: Pick<PrimaryWrite, 'type' | 'id'>): EntryKey => ({
  collection: type.collectionName,
  id,
});

/** Whether a write changes one entry only: then no transaction is needed. */
export function changesOne(primary: PrimaryWrite): boolean {
  // The receipt of a deletion has no entry to be stored in.
  if (primary.kind === 'remove')
    return primary.references.length === 0 && !isKept(primary) && primary.receipt === undefined;
  return takenTargets(primary).length === 0 && !(primary.kind === 'update' && primary.copy !== undefined);
}

/** Whether a deleted entry is kept in the trash. */
export const isKept = ({ type, deletion }: { readonly type: ContentType; readonly deletion?: Deletion }): boolean =>
  type.trash !== undefined && deletion !== undefined;

/** The links of the written entry whose targets have one owner at most. */
export function takenTargets(write: PrimaryWrite & { readonly kind: 'insert' | 'update' }) {
  if (write.kind === 'insert') {
    return [...write.type.attributes.values()].flatMap((attribute) => {
      const id = write.document[attribute.name];
      return isIndexed(attribute) && isExclusive(attribute) && id !== undefined ? [{ attribute, id: Number(id) }] : [];
    });
  }
  return write.changes.links.flatMap(({ attribute, connect }) => {
    const taken = connect.at(-1);
    return isExclusive(attribute) && taken !== undefined ? [{ attribute, id: taken.id }] : [];
  });
}

/**
 * Writes one entry; returns how many it found. An update or a removal waits for the transaction that has locked the
 * entry. It does not find an entry with a working copy, which has to be written together with it.
 * @param condition an entry that does not match it is not found
 * @throws the driver's error, see `duplicateOf`; Locked; AppError as `changeEntry`
 */
export async function writeOne(parts: WriteParts, write: PrimaryWrite, condition?: Document): Promise<number> {
  const { db, transactions, timeout: maxTimeMS } = parts;
  const { type, id } = write;
  if (write.kind === 'insert') {
    await transactions.insert(type.collectionName, signed(write.document, write.receipt));
    return 1;
  }
  const key = keyOf(write);
  const filter = {
    _id: id,
    ...(write.kind === 'update' && write.alone === true && { localizations: { $exists: false } }),
    ...(type.copies !== undefined && { [COPIED]: null }),
    ...(condition !== undefined && { $and: [condition] }),
  };
  const attempt = async (): Promise<number> => {
    if (write.kind === 'remove') {
      const free = { ...filter, ...unlocked };
      return (await entriesOf(db, key.collection).deleteOne(free, { maxTimeMS })).deletedCount;
    }
    if (!needsStored(type, write.changes)) return updateOne(parts, key, filter, write.changes.values, write.receipt);
    return changeOne(parts, key, filter, write);
  };
  const writeFree = async (): Promise<number> => {
    for (;;) {
      const matched = await attempt();
      if (matched > 0 || !(await transactions.awaitUnlocked([key], filter))) return matched;
    }
  };
  // What depends on stored values is written in turns: otherwise all but one of those at the same time would have to
  // read again.
  const isComputed = write.kind === 'update' && needsStored(type, write.changes);
  return isComputed || transactions.isInUse(key) ? transactions.inOrder(key, writeFree) : writeFree();
}

async function updateOne(
  { db, timeout: maxTimeMS }: WriteParts,
  { collection }: EntryKey,
  filter: Document,
  fields: FieldChanges,
  receipt: Receipt | undefined,
): Promise<number> {
  const free = { ...filter, ...unlocked };
  const entries = entriesOf(db, collection);
  if (fields.size === 0 && receipt === undefined) return entries.countDocuments(free, { maxTimeMS });
  return (await entries.updateOne(free, updateOf(fields, receipt), { maxTimeMS })).matchedCount;
}

/**
 * Reads the entry, and changes it if the fields that the result depends on are still the same; otherwise it reads the
 * entry again.
 */
async function changeOne(
  parts: WriteParts,
  key: EntryKey,
  filter: Document,
  { type, changes, receipt }: PrimaryWrite & { readonly kind: 'update' },
): Promise<number> {
  const { db, timeout: maxTimeMS } = parts;
  const options = { maxTimeMS, promoteValues: false, readPreference: 'primary' } as const;
  for (;;) {
    const stored: Document | null = await entriesOf(db, key.collection).findOne(filter, options);
    if (stored === null || lockOf(stored) !== undefined) return 0;
    const edit = editOf(withoutLock(withoutReceipts(stored)));
    changeEntry(edit, type, changes);
    const computed = [...edit.fields.keys()].filter((name) => !changes.values.has(name));
    const same = computed.map((name) => ({ [name]: { $eq: stored[name] ?? null } }));
    const unchanged = { _id: key.id, $and: [filter, ...same] };
    if ((await updateOne(parts, key, unchanged, edit.fields, receipt)) > 0) return 1;
  }
}

/** A new entry with the receipt of its creation. */
const signed = (document: NewDocument, receipt: Receipt | undefined): NewDocument =>
  receipt === undefined ? document : { ...document, [RECEIPTS]: [receipt] };

/** The ids of the entries of a collection that match a filter now. */
export async function idsOf(
  { db, timeout }: WriteParts,
  collection: string,
  filter: Document,
): Promise<readonly number[]> {
  const options = { projection: { _id: 1 }, maxTimeMS: timeout, readPreference: 'primary' } as const;
  return (await entriesOf(db, collection).find(filter, options).toArray()).map(({ _id }) => _id);
}

/** A removal of references as a step of a transaction. */
export const removalStep = (removal: ReferenceRemoval) =>
  ({
    kind: 'update',
    collection: removal.type.collectionName,
    ...compileRemoval(removal),
    change: changeOf(removal),
  }) as const;
