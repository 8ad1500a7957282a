import {
  BSON,
  MongoServerError,
  type ClientSession,
  type Db,
  type Document,
  type FindOptions,
  type MongoClient,
} from 'mongodb';
import { StartError } from '../../errors/start-error.js';
import { isReplicated } from '../connection/database.js';
import { translated } from '../errors.js';
import { batchesOf } from './batches.js';

const { EJSON } = BSON;

/** The batch size; the driver returns fewer documents if they are large. */
const BATCH = 250;
/** SnapshotTooOld, SnapshotUnavailable. */
const NO_SNAPSHOT = new Set<unknown>([239, 246]);

/**
 * A session that reads everything as it was at its first read. Undefined on a single server, which has no snapshots
 * that outlast a command.
 */
export async function openSnapshot(client: MongoClient): Promise<SnapshotSession> {
  const replicated = await translated(() => isReplicated(client));
  return replicated ? client.startSession({ snapshot: true }) : undefined;
}

/** The session of `openSnapshot`. */
export type SnapshotSession = ClientSession | undefined;

/** The documents of a collection as `readDocuments`, as lines of canonical extended JSON, which preserves all types. */
export async function* readExtendedJsonLines(
  db: Db,
  collection: string,
  session: SnapshotSession,
): AsyncGenerator<readonly string[]> {
  for await (const documents of readDocuments(db, collection, session, { promoteValues: false }))
    yield documents.map((document) => EJSON.stringify(document, { relaxed: false }));
}

/**
 * The documents of a collection in order of their ids, with 64-bit integers as bigints; entries that exist throughout
 * are included exactly once, in spite of concurrent writes.
 * @throws StartError if the snapshot is no longer available
 */
export async function* readDocuments(
  db: Db,
  collection: string,
  session: SnapshotSession,
  options: FindOptions = { useBigInt64: true },
): AsyncGenerator<readonly Document[]> {
  const order: FindOptions = { sort: { _id: 1 }, hint: { _id: 1 }, batchSize: BATCH };
  const cursor = db.collection(collection).find({}, { ...order, ...options, ...(session && { session }) });
  try {
    yield* batchesOf(cursor);
  } catch (error) {
    if (!(error instanceof MongoServerError && NO_SNAPSHOT.has(error.code))) throw error;
    throw new StartError(
      'The database no longer retains the exported snapshot: set its parameter ' +
        'minSnapshotHistoryWindowInSeconds to more seconds than the export takes',
    );
  }
}

/** A document with the driver's own types, so that it is restored exactly. */
export type StoredDocument = Document & { readonly _id: number | string };

/** @throws Error if the line is not extended JSON */
export function parseExtendedJsonLine(line: string): StoredDocument {
  const document = EJSON.parse(line, { relaxed: false }) as Document;
  const { _id } = document;
  return { ...document, _id: typeof _id === 'string' ? _id : Number(_id) };
}

/** The numeric id of an entry, five times as fast as parsing the line. @throws Error if the line has none */
export function parseStoredId(line: string): number {
  const { _id } = JSON.parse(line) as { readonly _id: Readonly<Record<string, string>> };
  const [id] = Object.values(_id);
  return Number(id);
}
