import { setTimeout as wait } from 'node:timers/promises';
import { BSON, type Db, type Document } from 'mongodb';
import { AppError } from '../../errors/app-error.js';
import { againIfLost, tooLarge, translateError } from '../errors.js';

/** The bytes read for one response, by all of its reads together. */
export interface BytesRead {
  /** Bytes read so far, in the format of the database. */
  bytes: number;
}

/** @throws AppError tooCostly if more bytes were read than a response can need */
export type CountBytes = (bytes: number) => void;

/** Bytes of entries per byte of a response, because not all stored values are returned. */
const READ_PER_BYTE = 4;
/** Bytes that can be read for any response, even with a low limit. */
const MIN_BYTES = 2 ** 20;

/** The error for a response that has more bytes than the limit. */
export const responseTooLong = (limit: number): AppError =>
  new AppError('tooCostly', 'bytes in one response (RESPONSE_LIMIT)', limit);

/** Whether more was read than a response of this size can need. */
export const exceedsResponse = ({ bytes }: BytesRead, limit: number): boolean =>
  bytes > Math.max(READ_PER_BYTE * limit, MIN_BYTES);

/**
 * Counts the bytes read for a response, and refuses the response before it is built.
 * @param limit maximum bytes of the response
 */
export const countBytes =
  (count: BytesRead, limit: number): CountBytes =>
  (bytes) => {
    count.bytes += bytes;
    if (exceedsResponse(count, limit)) throw responseTooLong(limit);
  };

/** A `find` or `aggregate` command without its options for time and batches. */
export type ReadCommand = { readonly find: string } | { readonly aggregate: string };

/** More entries than any response has. */
const ONE_BATCH = 10_000_000;

/**
 * Runs a read with a single-batch reply as a plain command: the driver's cursors cost a third of a small read.
 * If the connection is lost it is sent once more, like the driver's own reads.
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
  const batch = BSON.deserialize(await run(db, command, timeout, signal)) as Batch<T>;
  return wholeBatch(db, batch, timeout);
}

/** A document that was read; undecoded if the batch is long. */
export type ResultRow = Document | Buffer;

/** Batches of at least as many bytes are long. */
const LONG = 2 ** 20;

/**
 * Reads a batch whose documents are decoded on demand if it is long: as objects they take the same memory
 * again, or twice as much. Returns the rows with the bytes that they take.
 * @throws AppError unavailable, outOfTime, answerTooLarge
 */
export async function readRows(
  db: Db,
  command: ReadCommand & Document,
  timeout: number,
  signal?: AbortSignal,
): Promise<{ readonly rows: readonly ResultRow[]; readonly bytes: number }> {
  const reply = await run(db, command, timeout, signal);
  const batch = BSON.deserialize(reply, { raw: reply.length >= LONG });
  return { rows: await wholeBatch(db, batch as Batch<ResultRow>, timeout), bytes: reply.length };
}

/** The document of a row. */
export const documentOf = (row: ResultRow): Document => (Buffer.isBuffer(row) ? BSON.deserialize(row) : row);

/** The lists in a row; their documents are undecoded if the row is. */
const listsIn = (row: ResultRow): Readonly<Record<string, readonly ResultRow[]>> =>
  Buffer.isBuffer(row) ? BSON.deserialize(row, { raw: true }) : row;

/** By the name of the lookup, the documents that are looked up for a page. */
export type Fetched = Readonly<Record<string, readonly Document[]>>;

export interface RowPage {
  readonly page: readonly ResultRow[];
  readonly fetched: Fetched;
}

/** The page and its lookups, which are often needed for many entries. */
export function pageIn(row: ResultRow): RowPage {
  const { _id, page = [], ...lists } = listsIn(row);
  const fetched = Object.entries(lists).map(([name, list]) => [name, list.map(documentOf)] as const);
  return { page, fetched: Object.fromEntries(fetched) };
}

const run = (
  db: Db,
  command: ReadCommand & Document,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<Buffer> =>
  killOnAbort(db, signal, (mark) =>
    againIfLost(() => send(db, { ...command, ...batchOf(command), maxTimeMS: timeout, ...mark })),
  ).catch((error: unknown) => {
    throw tooLarge(error) ?? translateError(error);
  });

/**
 * @throws AppError answerTooLarge if the result exceeds one batch, also if the database cannot end the rest: it does so
 * by itself later
 */
async function wholeBatch<T>(db: Db, { id, ns, firstBatch }: Batch<T>, timeout: number): Promise<readonly T[]> {
  if (Number(id) === 0) return firstBatch;
  const kill = { killCursors: ns.slice(ns.indexOf('.') + 1), cursors: [id], maxTimeMS: timeout };
  await db.command(kill).catch(() => undefined);
  throw new AppError('answerTooLarge');
}

/** For one entry MongoDB uses its express path only without a batch size. */
function batchOf(command: ReadCommand & Document): Document {
  if (!('find' in command)) return { cursor: { batchSize: ONE_BATCH } };
  return command['limit'] === 1 ? { singleBatch: true } : { batchSize: ONE_BATCH };
}

interface Batch<T> {
  readonly id: unknown;
  readonly ns: string;
  readonly firstBatch: readonly T[];
}

/** With the settings of the URI, which plain commands do not inherit. */
async function send(db: Db, command: Document): Promise<Buffer> {
  const { readPreference, readConcern } = db;
  const concern = readConcern === undefined ? {} : { readConcern };
  // Raw: the driver returns the documents of a reply as bytes.
  const options = { raw: true, ...(readPreference && { readPreference }) };
  const { cursor } = await db.command({ ...command, ...concern }, options);
  return cursor as Buffer;
}

/** Milliseconds before the first search for a command, which most reads do not reach; then the delays double. */
const DELAY_MS = 100;

/** The time limit in milliseconds for finding and killing a command. */
const TIMEOUT_MS = 5000;

/**
 * Runs a read, and kills it in the database if the signal is aborted. Otherwise it only adds a comment to the command,
 * by which `currentOp` finds it.
 * @throws AppError outOfTime if the signal is already aborted
 */
async function killOnAbort<T>(
  db: Db,
  signal: AbortSignal | undefined,
  read: (mark: { readonly comment?: number }) => Promise<T>,
): Promise<T> {
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

/** Kills a running command: at first it may still wait for a connection. */
async function killCommand(db: Db, comment: number, isRunning: () => boolean): Promise<void> {
  const admin = db.admin();
  const pipeline = [{ $currentOp: {} }, { $match: { 'command.comment': comment } }, { $project: { opid: 1 } }];
  for (let delay = DELAY_MS; isRunning(); delay *= 2) {
    await wait(delay, undefined, { ref: false });
    if (!isRunning()) return;
    const operations = await admin.command({ aggregate: 1, pipeline, cursor: {}, maxTimeMS: TIMEOUT_MS });
    for (const { opid } of operations['cursor'].firstBatch as Document[]) {
      await admin.command({ killOp: 1, op: opid as unknown, maxTimeMS: TIMEOUT_MS });
    }
  }
}
