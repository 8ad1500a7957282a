import type { Document } from 'mongodb';
import { groupBy } from '../../config/group-by.js';
import { entriesOf, LOCK, lockOf, unlocked, withoutLock, type EntryKey, type EntryLock } from './format.js';
import { unlockEntries } from './settle.js';
import type { TransactionParts } from './transaction-parts.js';
import { growingPauses, Locked, type TimeLeft } from './wait.js';

/** An entry as a transaction has it: undefined if it does not exist. */
export interface EntryState {
  readonly key: EntryKey;
  document: Document | undefined;
  lock: EntryLock | undefined;
  /** It is removed when the transaction is committed. */
  isRemoved?: true;
}

/** All transactions lock entries in this order. */
export const compareKeys = (a: EntryKey, b: EntryKey): number =>
  a.collection === b.collection ? a.id - b.id : a.collection < b.collection ? -1 : 1;

/**
 * Locks all of these entries, or none; entries that do not exist are not locked. While it waits for one, it keeps those
 * before it: so of two transactions one always goes on.
 * @param keys in the order of `compareKeys`
 * @param isLate see `Locked`: once no time is left
 * @throws Locked once no time is left; the driver's error
 */
export async function lockEntries(
  parts: TransactionParts,
  transactionId: string,
  keys: readonly EntryKey[],
  timeLeft: TimeLeft,
  isLate: boolean,
): Promise<readonly EntryState[]> {
  const rest = growingPauses(parts.pause);
  const locked: EntryState[] = [];
  try {
    for (let isFirst = true; ; isFirst = false) {
      const groups = [...groupBy(keys.slice(locked.length), ({ collection }) => collection)];
      const found = (
        await Promise.all(groups.map(([name, own]) => lockTogether(parts, transactionId, name, own)))
      ).flat();
      const blocked = found.findIndex(({ document, lock }) => document !== undefined && lock?.by !== transactionId);
      locked.push(...found.slice(0, blocked < 0 ? found.length : blocked));
      const entry = found[blocked];
      if (entry === undefined) return locked;
      if (isFirst) parts.counts.waits += 1;
      await unlockEntries(parts, transactionId, keysLockedBy(transactionId, found.slice(blocked)));
      const isFree = entry.lock === undefined || (await parts.settling.resolveLock(entry.lock.by, entry.key));
      if (timeLeft(entry.lock?.by) === 0) throw new Locked(isLate);
      if (!isFree) await rest();
    }
  } catch (error) {
    await unlockEntries(parts, transactionId, keysLockedBy(transactionId, locked)).catch(() => undefined);
    throw error;
  }
}

/** Locks those of these entries of one collection that nobody has locked, and finds them all. */
async function lockTogether(
  { db, timeout: maxTimeMS }: TransactionParts,
  transactionId: string,
  name: string,
  keys: readonly EntryKey[],
): Promise<readonly EntryState[]> {
  const collection = entriesOf(db, name);
  const locking = { $set: { [LOCK]: { by: transactionId } } };
  const options = { maxTimeMS, promoteValues: false } as const;
  const [key] = keys;
  if (keys.length === 1 && key !== undefined) {
    const filter = { _id: key.id };
    const before = await collection.findOneAndUpdate({ ...filter, ...unlocked }, locking, options);
    if (before !== null) return [entryState(key, before, { by: transactionId })];
    const document = (await collection.findOne(filter, { ...options, readPreference: 'primary' })) ?? undefined;
    return [entryState(key, document, document && lockOf(document))];
  }
  const filter = { _id: { $in: keys.map(({ id }) => id) } };
  await collection.updateMany({ ...filter, ...unlocked }, locking, { maxTimeMS });
  const stored = await collection.find(filter, { ...options, readPreference: 'primary' }).toArray();
  const byId = new Map(stored.map((document) => [Number(document._id as unknown), document]));
  return keys.map((one) => {
    const document = byId.get(one.id);
    return entryState(one, document, document && lockOf(document));
  });
}

const entryState = (key: EntryKey, document: Document | undefined, lock: EntryLock | undefined): EntryState => ({
  key,
  document: document && withoutLock(document),
  lock,
});

/** The keys of those that this transaction has locked. */
export const keysLockedBy = (transactionId: string, entries: Iterable<EntryState>): readonly EntryKey[] =>
  [...entries].flatMap(({ key, lock }) => (lock?.by === transactionId ? [key] : []));
