import { BSON, type Document } from 'mongodb';
import type { NewEvent, StoredEvent } from './stored-events.js';

/** Bytes of an entry above which readers of the log read it: a document holds 16 MB. */
const MAX_ENTRY = 4_000_000;

/** What is stored of a new event besides its position. */
export const addedOf = ({ type, ...event }: NewEvent): Omit<StoredEvent, '_id' | 'floor'> => ({
  ...sized(event),
  uid: type.uid,
  at: new Date(),
});

/** An entry that is too large is omitted, so no filter matches it. */
export const sizedBefore = (before: Document | undefined): Pick<StoredEvent, 'before'> =>
  before === undefined || BSON.calculateObjectSize(before) > MAX_ENTRY ? {} : { before };

/** Undefined if it is too large. */
export const limited = (entry: string | undefined): string | undefined =>
  entry === undefined || Buffer.byteLength(entry) > MAX_ENTRY ? undefined : entry;

/** Omits undefined values, which the driver would store as null. */
function sized({ entry, written, ...event }: Omit<NewEvent, 'type'>): Omit<NewEvent, 'type'> {
  const stored = limited(entry);
  const isCompared = event.action === 'update' && written !== undefined;
  return { ...event, ...(isCompared && { written }), ...(stored !== undefined && { entry: stored }) };
}
