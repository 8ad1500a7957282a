import { MongoServerSelectionError, type Db, type Document } from 'mongodb';
import { AppError, hasCode } from '../errors/app-error.js';
import { endWithRecipient, type Recipient } from './end-with-recipient.js';
import { isTooLarge, translateError } from './translate-error.js';

/** A `find` or an `aggregate`, as MongoDB takes it, without what is said of its time and its batches. */
export type ReadCommand = { readonly find: string } | { readonly aggregate: string };

/** More entries than any answer has. */
const ONE_BATCH = 10_000_000;

/**
 * Runs a read whose answer comes in one batch, as a plain command: the driver's cursors cost a third of a small read.
 * When the connection is lost it is sent once more, as the driver does for its own reads.
 * @param timeout milliseconds
 * @param recipient without whom the read is ended
 * @throws AppError unavailable, outOfTime, answerTooLarge
 */
export async function readBatch<T = Document>(
  db: Db,
  command: ReadCommand & Document,
  timeout: number,
  recipient?: Recipient,
): Promise<readonly T[]> {
  const whole = { ...command, ...batchOf(command), maxTimeMS: timeout };
  const { cursor } = await endWithRecipient(db, recipient, (mark) => sendAgainIfLost(db, { ...whole, ...mark }));
  if (Number(cursor.id) === 0) return cursor.firstBatch as T[];
  const { ns, id } = cursor;
  await db.command({ killCursors: ns.slice(ns.indexOf('.') + 1), cursors: [id], maxTimeMS: timeout });
  throw new AppError('answerTooLarge');
}

/** For one entry MongoDB takes its shortest way only when no size is said. */
function batchOf(command: ReadCommand & Document): Document {
  if (!('find' in command)) return { cursor: { batchSize: ONE_BATCH } };
  return command['limit'] === 1 ? { singleBatch: true } : { batchSize: ONE_BATCH };
}

async function sendAgainIfLost(db: Db, command: Document): Promise<Batch> {
  try {
    return await send(db, command);
  } catch (error) {
    if (isTooLarge(error)) throw new AppError('answerTooLarge');
    const known = translateError(error);
    const lost = hasCode(known, 'unavailable');
    if (!lost || error instanceof MongoServerSelectionError) throw known;
    return send(db, command);
  }
}

interface Batch {
  readonly cursor: { readonly id: unknown; readonly ns: string; readonly firstBatch: unknown[] };
}

/** With the settings of the URI: commands do not take them by themselves. */
async function send(db: Db, command: Document): Promise<Batch> {
  const { readPreference, readConcern } = db;
  const concern = readConcern === undefined ? {} : { readConcern };
  return (await db.command({ ...command, ...concern }, { ...(readPreference && { readPreference }) })) as never;
}
