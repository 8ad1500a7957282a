import type { Document } from 'mongodb';
import type { EntryReceipt, Receipt } from '../../query/receipt.js';
import type { EntryKey } from '../transactions/format.js';

/** The field of an entry with the receipts of its last writes, until they are collected. */
export const RECEIPTS = '_receipts';

/** The receipts that an entry still has. */
export const receiptsIn = ({ collection, id }: EntryKey, document: Document | undefined): readonly EntryReceipt[] =>
  ((document?.[RECEIPTS] ?? []) as readonly Receipt[]).map((receipt) => ({ collection, id, receipt }));

/** An entry as it is shown, copied and moved: its receipts are no part of it. */
export const withoutReceipts = (document: Document): Document =>
  RECEIPTS in document ? Object.fromEntries(Object.entries(document).filter(([name]) => name !== RECEIPTS)) : document;
