import type { Db, IndexDescription } from 'mongodb';
import { RECEIPTS } from '../stored/receipts.js';
import { REVIEW } from '../stored/review.js';
import { SCHEDULE } from '../stored/schedule.js';

/**
 * Indexes of entries for what not every service does, created before it is first done, and then kept. None has
 * the prefix of those that a start creates: a process whose version does not know one of them would drop it.
 */
export const onDemandIndexes = {
  schedules: [{ name: 'schedule', key: { [`${SCHEDULE}.due`]: 1 }, sparse: true }],
  /** Lists of requests are read in the order of these: what waits, and what was sent back to a user. */
  reviews: [
    {
      name: 'review_waiting',
      key: { [`${REVIEW}.ready`]: 1, _id: 1 },
      partialFilterExpression: { [`${REVIEW}.ready`]: { $exists: true } },
    },
    {
      name: 'review_sent_back',
      key: { [`${REVIEW}.by`]: 1, [`${REVIEW}.back`]: -1, _id: 1 },
      partialFilterExpression: { [`${REVIEW}.back`]: { $exists: true } },
    },
  ],
  /** By this one receipts are found that a process has left. Entries without receipts are not in it. */
  receipts: [{ name: 'receipts', key: { [`${RECEIPTS}.at`]: 1 }, sparse: true }],
} as const satisfies Readonly<Record<string, readonly IndexDescription[]>>;

/** Hints name it. */
export const RECEIPT_INDEX = onDemandIndexes.receipts[0].name;

const names: ReadonlySet<string> = new Set(
  Object.values(onDemandIndexes).flatMap((indexes) => indexes.map(({ name }) => name)),
);

/** Whether an index of this name is one of these. */
export const isOnDemand = (name: string): boolean => names.has(name);

/** Idempotent; readers and writers continue meanwhile. @throws the driver's error */
export async function createOnDemand(db: Db, collection: string, purpose: keyof typeof onDemandIndexes): Promise<void> {
  await db.collection(collection).createIndexes([...onDemandIndexes[purpose]]);
}
