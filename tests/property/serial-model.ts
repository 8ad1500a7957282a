import type { Document } from 'mongodb';
import type { EntryKey } from '../../src/mongo/transactions/format.js';
import type { Transaction } from '../../src/mongo/transactions/transaction.js';

/** What a plan of a transaction uses. */
export type Statements = Pick<Transaction, 'lock' | 'apply' | 'remove' | 'after'>;

/** A write that several processes execute at once, and that the model executes alone. */
export interface Plan {
  readonly name: string;
  /** The statements of a transaction, or the entry to which a write alone adds its name. */
  readonly work: ((statements: Statements, seen: Seen) => Promise<void>) | EntryKey;
}

/** Notes what a plan has read. */
export type Seen = (document: Document | undefined) => void;

/** A plan that was executed: what it saw, and between which steps. */
export interface Executed {
  readonly plan: Plan;
  readonly outcome: 'done' | 'refused' | 'unknown';
  readonly seen: readonly string[];
  readonly from: number;
  readonly to: number;
}

/** Entries without their locks, by collection and id. */
export type Entries = ReadonlyMap<string, Document>;

export const nameOfEntry = ({ collection, id }: EntryKey): string => `${collection} ${id}`;
export const textOf = (document: Document | undefined): string => {
  const { _lock: _, _id, ...fields } = document ?? {};
  return document === undefined
    ? 'none'
    : JSON.stringify(Object.fromEntries(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1))));
};
/** What a transaction sees of an entry: links to entries that are gone do not count, and are removed one by one. */
export const seenOf = (document: Document | undefined): string => {
  const { link: _, ...fields } = document ?? {};
  return textOf(document && fields);
};
export const textOfAll = (entries: Entries): string =>
  [...entries]
    .map(([name, document]) => `${name} ${textOf(document)}`)
    .toSorted()
    .join('\n');

/**
 * Is this the result of executing all plans that are done, and some of those whose outcome is unknown, one after the
 * other? A plan that had ended before another one began is executed before it.
 */
export async function isSerial(before: Entries, after: Entries, executed: readonly Executed[]): Promise<boolean> {
  const expected = textOfAll(after);
  const search = async (entries: Entries, left: readonly Executed[]): Promise<boolean> => {
    if (left.every(({ outcome }) => outcome !== 'done') && textOfAll(entries) === expected) return true;
    for (const next of left) {
      const others = left.filter((one) => one !== next);
      if (others.some(({ outcome, to }) => outcome === 'done' && to < next.from)) continue;
      const result = await executeAlone(entries, next.plan);
      const isSame = next.outcome !== 'done' || result.seen.join('\n') === next.seen.join('\n');
      if (isSame && (await search(result.entries, others))) return true;
    }
    return false;
  };
  return search(
    before,
    executed.filter(({ outcome }) => outcome !== 'refused'),
  );
}

/** Executes a plan on entries in memory. */
async function executeAlone(
  before: Entries,
  { name, work }: Plan,
): Promise<{ readonly entries: Entries; readonly seen: readonly string[] }> {
  const entries = new Map(before);
  const seen: string[] = [];
  if (typeof work !== 'function') {
    const document = entries.get(nameOfEntry(work));
    if (document !== undefined) entries.set(nameOfEntry(work), { ...document, done: [...document['done'], name] });
    return { entries, seen };
  }
  const unlinked: string[] = [];
  const statements: Statements = {
    lock: (keys) => Promise.resolve(keys.map((key) => entries.get(nameOfEntry(key)))),
    apply: (changes) => {
      for (const change of changes) {
        const key = nameOfEntry(change);
        if (change.kind === 'insert') entries.set(key, change.document);
        else entries.set(key, { ...entries.get(key), ...Object.fromEntries(change.fields) });
      }
      return Promise.resolve();
    },
    remove: (collection, ids) => {
      for (const id of ids) entries.delete(nameOfEntry({ collection, id }));
    },
    after: (steps) => {
      for (const step of steps) if (step.kind === 'update') unlinked.push(String(step.filter['link']));
    },
  };
  try {
    await work(statements, (document) => seen.push(seenOf(document)));
  } catch {
    return { entries: before, seen };
  }
  for (const [key, { link, ...document }] of entries) if (unlinked.includes(link as string)) entries.set(key, document);
  return { entries, seen };
}
