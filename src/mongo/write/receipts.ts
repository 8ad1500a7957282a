import { createHmac, randomUUID } from 'node:crypto';
import type { Db, Document } from 'mongodb';
import { groupBy } from '../../config/group-by.js';
import type { ContentType } from '../../content-types/model/types.js';
import type { Door, EntryReceipt, Receipt, ReceiptAction, Signature } from '../../query/receipt.js';
import { createOnDemand, RECEIPT_INDEX } from '../indexes/on-demand-indexes.js';
import { receiptsIn, RECEIPTS } from '../stored/receipts.js';
import { entriesOf, LOCK, lockOf, unlocked, type EntryKey } from '../transactions/format.js';

/** Which writes have receipts, and those of writes that nobody signs. */
export interface ReceiptOptions {
  /** Writes of these types have none: whoever receives the receipts stores them there. */
  readonly isExempt: (type: ContentType) => boolean;
  /** How writes come in that name no origin. */
  readonly door: Door;
  /** Of the hashes of written values, so that nobody finds those by trying. */
  readonly key: string;
  /** Who asks for what runs; undefined, as by default: nobody does. */
  readonly asking?: (() => Signature | undefined) | undefined;
}

/** Receives receipts, and keeps them. It gets each at least once, and several times after an error or a crash. */
export type ReceiveReceipts = (receipts: readonly EntryReceipt[]) => Promise<void>;

/**
 * Milliseconds in which receipts are collected together, unless a batch of them is there before: the commands that
 * store them and remove them from their entries cost the less, the more they do.
 */
const INTERVAL_MS = 1000;
/** Milliseconds after which others collect what a process has left. */
const LEFT_MS = 20_000;
/** Receipts of one collection that are collected together. */
const BATCH = 1000;
/** Receipts that wait in this process; what is more waits in the database. */
const MOST_WAITING = 10_000;

interface ReceiptParts {
  /** Maximum time of a command, in milliseconds. */
  readonly timeout: number;
  readonly report: (error: unknown) => void;
  /** See `Transactions`. */
  readonly resolveLock: (transactionId: string, key: EntryKey) => Promise<boolean>;
}

/** Those in the record of a transaction, which is removed when they are kept. */
interface CommittedReceipts {
  readonly receipts: readonly EntryReceipt[];
  readonly forget: () => Promise<void>;
}

/**
 * The receipts of writes: that of a write of one entry is stored in the entry, by the same command, and those of a
 * transaction in its record. Then they are collected: given to whoever keeps them, and removed.
 */
export function openReceipts(
  db: Db,
  { isExempt, door, key: secret, asking = () => undefined }: ReceiptOptions,
  { timeout: maxTimeMS, report, resolveLock }: ReceiptParts,
) {
  let receive: ReceiveReceipts | undefined;
  let entries: EntryReceipt[] = [];
  let committed: CommittedReceipts[] = [];
  let timer: NodeJS.Timeout | undefined;
  let collecting: Promise<void> = Promise.resolve();
  let searching: Promise<void> | undefined;

  /** Removes receipts that are kept. An entry that is locked keeps them until the next search. */
  const remove = async (collection: string, collected: readonly EntryReceipt[]): Promise<void> => {
    const [entryIds, ids] = [[...new Set(collected.map(({ id }) => id))], collected.map(({ receipt }) => receipt.id)];
    const alone: Document = { [RECEIPTS]: { $not: { $elemMatch: { id: { $nin: ids } } } } };
    const found: Document = { _id: { $in: entryIds }, [`${RECEIPTS}.id`]: { $in: ids }, ...unlocked };
    const update = { $unset: { [RECEIPTS]: '' } } as const;
    const { matchedCount } = await entriesOf(db, collection).updateMany({ $and: [found, alone] }, update, {
      maxTimeMS,
    });
    if (matchedCount === entryIds.length) return;
    // Some were written again in the meantime, or were locked. A list that becomes empty is removed: no search finds
    // it.
    const isOther = { $not: [{ $in: ['$$one.id', { $literal: ids }] }] };
    const others = { $filter: { input: `$${RECEIPTS}`, as: 'one', cond: isOther } };
    const some = { $let: { vars: { others }, in: { $cond: [{ $eq: ['$$others', []] }, '$$REMOVE', '$$others'] } } };
    await entriesOf(db, collection).updateMany(found, [{ $set: { [RECEIPTS]: some } }], { maxTimeMS });
  };
  const keep = async (kept: readonly EntryReceipt[], receiver: ReceiveReceipts): Promise<void> => {
    await receiver(kept);
    const ofEntries = groupBy(kept, ({ collection }) => collection);
    await Promise.all([...ofEntries].map(([collection, own]) => remove(collection, own)));
  };
  const collectWaiting = async (receiver: ReceiveReceipts): Promise<void> => {
    const [ofEntries, ofTransactions] = [entries, committed];
    [entries, committed] = [[], []];
    if (ofEntries.length + ofTransactions.length === 0) return;
    const inTransactions = ofTransactions.flatMap(({ receipts }) => receipts);
    try {
      // In the order of their writes.
      const all = [...ofEntries, ...inTransactions].toSorted((a, b) => Number(a.receipt.at) - Number(b.receipt.at));
      await receiver(all);
    } catch (error) {
      entries = [...ofEntries, ...entries].slice(0, MOST_WAITING);
      committed = [...ofTransactions, ...committed].slice(0, MOST_WAITING);
      throw error;
    }
    const groups = groupBy(ofEntries, ({ collection }) => collection);
    await Promise.all([
      ...[...groups].map(([collection, own]) => remove(collection, own)),
      ...ofTransactions.map(({ forget }) => forget()),
    ]);
  };
  const collectNow = (): void => {
    clearTimeout(timer);
    timer = undefined;
    collect().catch((error: unknown) => {
      report(error);
      schedule();
    });
  };
  const schedule = (): void => {
    if (receive === undefined) return;
    timer ??= setTimeout(collectNow, INTERVAL_MS).unref();
  };
  /** Collects the receipts of this process. */
  const collect = (): Promise<void> => {
    const run = async (): Promise<void> => (receive === undefined ? undefined : collectWaiting(receive));
    collecting = collecting.then(run, run);
    return collecting;
  };
  const isOpen = (): boolean => receive !== undefined;
  /** Collects what processes have left in entries of these types: all that are this old. */
  const search = async (types: readonly ContentType[], olderThan = LEFT_MS): Promise<void> => {
    const filter: Document = { [`${RECEIPTS}.at`]: { $lte: new Date(Date.now() - olderThan) } };
    for (const { collectionName: collection } of types.filter((type) => !isExempt(type))) {
      let found: readonly { readonly _id: number }[];
      let after: Document = {};
      do {
        const options = { ...optionsOf(maxTimeMS), sort: { _id: 1 }, limit: BATCH, hint: RECEIPT_INDEX } as const;
        found = await entriesOf(db, collection)
          .find({ ...filter, ...after }, options)
          .toArray();
        // Nobody else may ever need an entry that a process has locked before it died.
        for (const entry of found) {
          const lock = lockOf(entry);
          if (lock !== undefined) await resolveLock(lock.by, { collection, id: entry._id });
        }
        const left = found.flatMap((entry) => receiptsIn({ collection, id: entry._id }, entry));
        if (left.length > 0 && receive !== undefined) await keep(left, receive);
        after = { _id: { $gt: found.at(-1)?._id } };
      } while (found.length === BATCH && isOpen());
    }
  };
  return {
    /** That of a write which only the request signs, or nobody; undefined: it has none. */
    of: (type: ContentType, given: Receipt | undefined, action: ReceiptAction): Receipt | undefined => {
      if (isExempt(type)) return undefined;
      const { by, origin } = asking() ?? { by: { kind: 'system' }, origin: { door } };
      return given ?? { id: randomUUID(), at: new Date(), action, by, origin, names: [] };
    },
    /** The hash of written values. */
    digest: (text: string): string => createHmac('sha256', secret).update(text).digest('base64url'),
    /** Creates the indexes of entries with receipts. */
    prepare: async (types: readonly ContentType[]): Promise<void> => {
      const collections = types.filter((type) => !isExempt(type)).map(({ collectionName }) => collectionName);
      await Promise.all(collections.map((name) => createOnDemand(db, name, 'receipts')));
    },
    /** Notes that the receipt of a write is stored in its entry. */
    stored: (key: EntryKey, receipt: Receipt): void => {
      if (entries.length < MOST_WAITING) entries.push({ ...key, receipt });
      if (entries.length === BATCH && receive !== undefined) collectNow();
      else schedule();
    },
    /** Notes those in the record of a transaction, which is removed when they are kept. */
    committed: (receipts: readonly EntryReceipt[], forget: () => Promise<void>): void => {
      if (committed.length < MOST_WAITING) committed.push({ receipts, forget });
      schedule();
    },
    /** Notes those of a command that writes several entries. */
    storedIn: async (collection: string, ids: readonly number[], { id }: Receipt): Promise<void> => {
      if (receive === undefined) return;
      const filter: Document = { _id: { $in: [...ids] }, [`${RECEIPTS}.id`]: id };
      const written = await entriesOf(db, collection).find(filter, optionsOf(maxTimeMS)).toArray();
      const own = written.flatMap((entry) => receiptsIn({ collection, id: entry._id }, entry));
      entries.push(...own.filter(({ receipt }) => receipt.id === id).slice(0, MOST_WAITING - entries.length));
      schedule();
    },
    /** @param receiver gets all that follow, and what was left: at once if no other process uses the database */
    attach: (receiver: ReceiveReceipts, types: readonly ContentType[], isExclusive: boolean): void => {
      receive = receiver;
      schedule();
      if (isExclusive) searching = search(types, 0).catch(report);
    },
    /** Collects those of this process, and what was left before it began if no other process uses the database. */
    collect: async (): Promise<void> => {
      await searching;
      await collect();
    },
    search,
    /** Collects the last ones, and stops. */
    close: async (): Promise<void> => {
      clearTimeout(timer);
      await collect().catch(report);
      receive = undefined;
      await searching;
    },
  };
}

export type Receipts = ReturnType<typeof openReceipts>;

const optionsOf = (maxTimeMS: number) =>
  ({ projection: { [RECEIPTS]: 1, [LOCK]: 1 }, maxTimeMS, readPreference: 'primary' }) as const;
