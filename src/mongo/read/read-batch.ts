import { setTimeout as wait } from 'node:timers/promises';
import { BSON, MongoServerSelectionError, type Db, type Document } from 'mongodb';
import { AppError, hasCode } from '../../errors/app-error.js';
import type { CountBytes } from '../read-budget.js';
import { readBson } from './read-bson.js';
import { tooLarge, translateError } from '../errors.js';

/** A `find` or an `aggregate`, as MongoDB takes it, without what is said of its time and its batches. */
export type ReadCommand = { readonly find: string } | { readonly aggregate: string };

/** More entries than any answer has. */
const ONE_BATCH = 10_000_000;

/**
 * Runs a read whose answer comes in one batch, as a plain command: the driver's cursors cost a third of a small read.
 * When the connection is lost it is sent once more, as the driver does for its own reads.
 * @param timeout milliseconds
 * @param signal cancels the read
 * @throws AppError unavailable, outOfTime, answerTooLarge
 */
export async function readBatch<T = Document>(
  db: Db,
  command: ReadCommand & Document,
  timeout: number,
  signal?: AbortSignal,
): Promise<readonly T[]> {
  const batch = readBson(await run(db, command, timeout, signal)) as Batch<T>;
  return wholeBatch(db, batch, timeout);
}

/** A document that was read: as it came from the database, where the batch is long. */
export type Row = Document | Buffer;

/** Bytes from which a batch is long. */
const LONG = 2 ** 20;

/**
 * The same, but the documents of a long batch stay as they came until they are needed: as objects they take the same memory
 * again, or twice as much.
 * @param count told how many bytes came
 * @throws AppError unavailable, outOfTime, answerTooLarge
 */
export async function readRows(
  db: Db,
  command: ReadCommand & Document,
  timeout: number,
  signal?: AbortSignal,
  count?: CountBytes,
): Promise<readonly Row[]> {
  const bytes = await run(db, command, timeout, signal);
  const batch = bytes.length < LONG ? readBson(bytes) : BSON.deserialize(bytes, { raw: true });
  const rows = await wholeBatch(db, batch as Batch<Row>, timeout);
  count?.(bytes.length);
  return rows;
}

/** The document of a row. */
export const documentOf = (row: Row): Document => (Buffer.isBuffer(row) ? readBson(row) : row);

/** The lists in a row, whose documents stay as they came if it did. */
export const listsIn = (row: Row): Readonly<Record<string, readonly Row[]>> =>
  Buffer.isBuffer(row) ? BSON.deserialize(row, { raw: true }) : row;

const run = (
  db: Db,
  command: ReadCommand & Document,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<Buffer> =>
  killOnAbort(db, signal, (mark) =>
    sendAgainIfLost(db, { ...command, ...batchOf(command), maxTimeMS: timeout, ...mark }),
  );

/** @throws AppError answerTooLarge when there is more than one batch takes */
async function wholeBatch<T>(db: Db, { id, ns, firstBatch }: Batch<T>, timeout: number): Promise<readonly T[]> {
  if (Number(id) === 0) return firstBatch;
  await db.command({ killCursors: ns.slice(ns.indexOf('.') + 1), cursors: [id], maxTimeMS: timeout });
  throw new AppError('answerTooLarge');
}

/** For one entry MongoDB takes its shortest way only when no size is said. */
function batchOf(command: ReadCommand & Document): Document {
  if (!('find' in command)) return { cursor: { batchSize: ONE_BATCH } };
  return command['limit'] === 1 ? { singleBatch: true } : { batchSize: ONE_BATCH };
}

async function sendAgainIfLost(db: Db, command: Document): Promise<Buffer> {
  try {
    return await send(db, command);
  } catch (error) {
    const translated = tooLarge(error) ?? translateError(error);
    const lost = hasCode(translated, 'unavailable');
    if (!lost || error instanceof MongoServerSelectionError) throw translated;
    return send(db, command);
  }
}

interface Batch<T> {
  readonly id: unknown;
  readonly ns: string;
  readonly firstBatch: readonly T[];
}

/** With the settings of the URI: commands do not take them by themselves. */
async function send(db: Db, command: Document): Promise<Buffer> {
  const { readPreference, readConcern } = db;
  const concern = readConcern === undefined ? {} : { readConcern };
  // Raw: the driver hands out the documents in an answer as their bytes.
  const options = { raw: true, ...(readPreference && { readPreference }) };
  const { cursor } = await db.command({ ...command, ...concern }, options);
  return cursor as Buffer;
}

/** Marks a command, so that it can be found among those that run. */
interface Mark {
  readonly comment?: number;
}

/** Milliseconds: most reads end before that, and are not worth a command; then the waits double. */
const DELAY_MS = 100;

/** Milliseconds that it may take to find a command, and to kill it. */
const TIMEOUT_MS = 5000;

/**
 * Runs a read, and has the database kill it when the signal is aborted. Otherwise it costs a number in the command.
 * @throws AppError outOfTime if the signal is aborted already
 */
async function killOnAbort<T>(db: Db, signal: AbortSignal | undefined, read: (mark: Mark) => Promise<T>): Promise<T> {
  if (signal === undefined) return read({});
  if (signal.aborted) throw new AppError('outOfTime');
  const comment = Math.random();
  let running = true;
  const kill = (): void => void killCommand(db, comment, () => running).catch(() => undefined);
  signal.addEventListener('abort', kill, { once: true });
  try {
    return await read({ comment });
  } finally {
    running = false;
    signal.removeEventListener('abort', kill);
  }
}

/** Kills a command while it runs: at first it may still wait for a connection. */
async function killCommand(db: Db, comment: number, isRunning: () => boolean): Promise<void> {
  const admin = db.admin();
  const pipeline = [{ $currentOp: {} }, { $match: { 'command.comment': comment } }, { $project: { opid: 1 } }];
  for (let delay = DELAY_MS; isRunning(); delay *= 2) {
    await wait(delay, undefined, { ref: false });
    if (!isRunning()) return;
    const found = await admin.command({ aggregate: 1, pipeline, cursor: {}, maxTimeMS: TIMEOUT_MS });
    for (const { opid } of found['cursor'].firstBatch as Document[]) {
      await admin.command({ killOp: 1, op: opid as unknown, maxTimeMS: TIMEOUT_MS });
    }
  }
}
