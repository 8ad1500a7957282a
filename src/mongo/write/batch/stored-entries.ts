import { BSON, type Document } from 'mongodb';
import type { ContentType } from '../../../content-types/model/types.js';
import { AppError } from '../../../errors/app-error.js';
import type { Write } from '../../../query/mutation.js';
import { updateStages } from '../../compile/write/write.js';
import { isStillStored } from '../../read/snapshot.js';
import type { WriteParts } from '../execute-write.js';
import { BATCH_MARK } from './batch-step.js';
import { hasMark, withoutUpdate } from './undo-update.js';

type Database = Pick<WriteParts, 'db' | 'timeout'>;
type Update = Write & { readonly kind: 'update' };

/** Numbers keep their types. */
const asStored = { promoteValues: false, readPreference: 'primary' } as const;

/** Entries of one type as they are stored, by id. */
export async function readStored(
  { db, timeout: maxTimeMS }: Database,
  { collectionName }: ContentType,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Document>> {
  const collection = db.collection<{ _id: number }>(collectionName);
  const documents = await collection.find({ _id: { $in: [...ids] } }, { ...asStored, maxTimeMS }).toArray();
  return new Map(documents.map((document) => [asNumber(document._id), document]));
}

/** Numbers that are not promoted are objects. */
const asNumber = (stored: unknown): number => Number(stored);

/** Attempts to restore an entry that others change at the same time. */
const ATTEMPTS = 100;

/** Undoes the update of an entry, if it was done, where nothing newer is stored. @throws AppError unavailable */
export async function undoUpdate(parts: Database, { type, id, changes }: Update, before: Document): Promise<void> {
  const mark = changes.marks?.find(({ a }) => a === BATCH_MARK)?.n ?? 0;
  const collection = parts.db.collection<{ _id: number }>(type.collectionName);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const current = (await readStored(parts, type, [id])).get(id);
    if (current === undefined || !hasMark(current, mark)) return;
    const after = await updated(parts, type, before, changes);
    const { matchedCount } = await collection.replaceOne(
      { $and: [{ _id: id }, isStillStored({ document: current })] },
      withoutUpdate({ before, after, current }),
      { maxTimeMS: parts.timeout },
    );
    if (matchedCount > 0) return;
  }
  throw new AppError('unavailable');
}

/** An entry as an update would store it: the database computes it. */
async function updated(
  { db, timeout: maxTimeMS }: Database,
  { collectionName }: ContentType,
  before: Document,
  changes: Update['changes'],
): Promise<Document> {
  // A facet returns one document, also for an empty collection.
  const source = [{ $facet: { any: [{ $limit: 1 }] } }, { $replaceWith: { $literal: before } }];
  const pipeline = [...source, ...updateStages(changes)];
  const [document] = await db
    .collection(collectionName)
    .aggregate(pipeline, { ...asStored, maxTimeMS })
    .toArray();
  return document ?? before;
}

export const isSameDocument = (first: Document, second: Document): boolean =>
  Buffer.compare(BSON.serialize(first), BSON.serialize(second)) === 0;
