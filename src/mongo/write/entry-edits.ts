import type { ContentType } from '../../content-types/model/types.js';
import { groupBy } from '../../config/group-by.js';
import { existenceOf, type Change } from '../../query/change.js';
import type { DependentWrite, EntryName, PrimaryWrite } from '../../query/mutation.js';
import type { EntryReceipt } from '../../query/receipt.js';
import { receiptsIn, withoutReceipts } from '../stored/receipts.js';
import { editOf, type EntryEdit } from '../stored/entry-edit.js';
import { COPIED } from '../stored/working-copy.js';
import type { EntryChange } from '../transactions/apply-changes.js';
import { nameOf, type EntryKey } from '../transactions/format.js';
import type { Transaction } from '../transactions/transaction.js';
import { changesOfEntries } from './changes-of-entries.js';
import { copyKey, followWritten, hasCopy } from './write-copies.js';
import { keyOf } from './write-one.js';

interface EditedEntry extends EntryKey {
  edit: EntryEdit;
  isNew: boolean;
}

/** The entries that a statement changes. @param further types of entries beside those of its writes */
export function openEdits(
  transaction: Transaction,
  primary: PrimaryWrite,
  others: readonly DependentWrite[],
  further: readonly ContentType[] = [],
) {
  const written = [primary, ...others].map(({ type }) => type);
  const types = new Map([...further, ...written].map((type) => [type.collectionName, type]));
  const copies = new Map(
    [...types.values()].flatMap((type) => (type.copies ? [[type.copies.collectionName, type.copies]] : [])),
  );
  const entries = new Map<string, EditedEntry>();
  const removed: EntryKey[] = [];
  /** The receipts of locked entries that nobody has collected yet. */
  const left = new Map<string, readonly EntryReceipt[]>();
  const changes: Change[] = [];
  const isPrimary = ({ collection, id }: EntryKey): boolean =>
    collection === primary.type.collectionName && id === primary.id;
  const lock = async (keys: readonly EntryKey[]): Promise<void> => {
    const missing = keys.filter((key) => !entries.has(nameOf(key)));
    if (missing.length === 0) return;
    const documents = await transaction.lock(missing);
    for (const [index, key] of missing.entries()) {
      const document = documents[index];
      if (document === undefined) continue;
      entries.set(nameOf(key), { ...key, edit: editOf(withoutReceipts(document)), isNew: false });
      left.set(nameOf(key), receiptsIn(key, document));
    }
  };
  const find = ({ collectionName: collection }: ContentType, id: number): EntryEdit | undefined =>
    entries.get(nameOf({ collection, id }))?.edit;
  /** Lets the copies of entries that change follow them. */
  const followAll = async (): Promise<void> => {
    for (const { collection, id, edit } of entries.values()) {
      const type = types.get(collection);
      if (type?.copies === undefined || edit.fields.size === 0 || !hasCopy(edit)) continue;
      await lock([copyKey(type.copies, id)]);
      const copy = find(type.copies, id);
      if (copy === undefined) edit.set(COPIED, undefined);
      else followWritten(type, edit, copy);
    }
  };
  /** A copy is stored before its entry says so; if the database refuses the first change, nothing has changed. */
  const placeOf = (change: EntryChange): number =>
    change.kind === 'insert' && copies.has(change.collection) ? 0 : isPrimary(change) ? 1 : 2;
  return {
    lock,
    /** A locked or new entry as it will be; undefined if it does not exist. */
    find,
    /** All locked entries of a type. */
    all: ({ collectionName }: ContentType): readonly EditedEntry[] =>
      [...entries.values()].filter(({ collection }) => collection === collectionName),
    insert: (name: EntryName, edit: EntryEdit): void => {
      const key = keyOf(name);
      entries.set(nameOf(key), { ...key, edit, isNew: true });
    },
    remove: ({ type, id }: EntryName): void => {
      const name = nameOf(keyOf({ type, id }));
      changes.push(existenceOf({ type, id }, entries.get(name)?.edit.document() ?? {}));
      entries.delete(name);
      removed.push(keyOf({ type, id }));
    },
    /** What was applied. */
    changes,
    /** Applies what has changed since the last call, the primary entry first. */
    apply: async (): Promise<void> => {
      await followAll();
      // Those of one collection follow each other, so that they share commands.
      const all = [...groupBy(entries.values(), ({ collection }) => collection).values()].flat();
      const applied = all.flatMap(({ collection, id, edit, isNew }): readonly EntryChange[] => {
        const entry = { collection, id, uid: (types.get(collection) ?? copies.get(collection))?.uid ?? '' };
        if (isNew) return [{ ...entry, kind: 'insert', document: { ...edit.document(), _id: id } }];
        return edit.fields.size > 0 ? [{ ...entry, kind: 'update', fields: edit.fields }] : [];
      });
      const inOrder = applied.toSorted((a, b) => placeOf(a) - placeOf(b));
      await transaction.apply(inOrder);
      for (const key of removed.splice(0)) {
        transaction.remove(key.collection, [key.id]);
        transaction.sign(left.get(nameOf(key)) ?? []);
      }
      changes.push(...changesOfEntries(inOrder, primary, others));
      const ofOthers = inOrder.filter(({ collection }) => !written.some((type) => type.collectionName === collection));
      changes.push(...ofOthers.map(({ id, uid = '' }) => ({ type: uid, id })));
      for (const entry of entries.values()) Object.assign(entry, { edit: editOf(entry.edit.document()), isNew: false });
    },
  };
}

export type EntryEdits = ReturnType<typeof openEdits>;
