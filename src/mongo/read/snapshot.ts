import { BSON, type Db, type Document } from 'mongodb';
import type { ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';

/** What is stored of an entry at one time. A write can require that this has not changed. */
export interface Snapshot {
  readonly document: Document;
}

/** Bytes of the largest entry that fits into the condition of a command. */
const LARGEST = 2 ** 23;

/** @throws AppError invalidValue for an entry that is too large */
export async function readSnapshot(
  db: Db,
  { collectionName }: ContentType,
  id: number,
  maxTimeMS: number,
): Promise<Snapshot | undefined> {
  // Numbers keep their types.
  const options = { promoteValues: false, maxTimeMS, readPreference: 'primary' } as const;
  const document = await db.collection<{ _id: number }>(collectionName).findOne({ _id: id }, options);
  if (document === null) return undefined;
  if (BSON.calculateObjectSize(document) > LARGEST)
    throw new AppError('invalidValue', 'If-Match: the entry is larger than 8 MB');
  return { document };
}

/** The condition that an entry is stored as it was, including everything that no response shows. */
export const isStillStored = ({ document }: Snapshot): Document => ({
  $expr: { $eq: ['$$ROOT', { $literal: document }] },
});

export const isSameSnapshot = (first: Snapshot, second: Snapshot): boolean =>
  Buffer.compare(BSON.serialize(first.document), BSON.serialize(second.document)) === 0;
