import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { BSON, MongoClient, type Document } from 'mongodb';
import type { Data } from '../../config/record.js';
import { isFields, kindOf } from './check/stored-kinds.js';
import { describeUri } from '../connection/connect.js';
import { StartError } from '../../errors/start-error.js';
import { reasonOf } from '../../errors/reason-of.js';

/**
 * The documents of a file that `mongodump` wrote, or `mongodump --gzip`, as plain data.
 * @throws StartError if it is truncated or damaged
 */
export async function* readDump(file: string): AsyncGenerator<Data> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of readBytes(file)) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    while (rest.length - start >= SIZE && rest.length - start >= rest.readInt32LE(start)) {
      const size = rest.readInt32LE(start);
      if (size < SMALLEST) throw new StartError(`${file} is not a BSON file of mongodump`);
      yield plainDocument(BSON.deserialize(rest.subarray(start, start + size)));
      start += size;
    }
    rest = rest.subarray(start);
  }
  if (rest.length > 0) throw new StartError(`${file} is truncated`);
}

async function* readBytes(file: string): AsyncGenerator<Buffer> {
  const stored = createReadStream(file);
  // The reader below receives the error.
  const bytes = file.endsWith('.gz') ? pipeline(stored, createGunzip(), () => undefined) : stored;
  try {
    yield* bytes as AsyncIterable<Buffer>;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw code.startsWith('Z_') ? new StartError(`${file} is damaged: ${message}`) : error;
  }
}

/** Bytes of a document's length, and of the shortest document. */
const [SIZE, SMALLEST] = [4, 5];

/** Milliseconds to wait for a server. */
const TIMEOUT_MS = 5000;

/** An external database, read-only. @throws StartError if it does not respond */
export async function openExternalSource(uri: string) {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: TIMEOUT_MS, readPreference: 'secondaryPreferred' });
  try {
    await client.connect();
  } catch (error) {
    throw new StartError(`${describeUri(uri)} cannot be read: ${reasonOf(error)}`);
  }
  const db = client.db();
  return {
    collections: async (): Promise<readonly string[]> =>
      (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name),
    documents: async function* (collection: string): AsyncGenerator<Data> {
      for await (const document of db.collection(collection).find({}, { sort: { _id: 1 } }))
        yield plainDocument(document);
    },
    close: (): Promise<void> => client.close(),
  };
}

const plainDocument = (document: Document): Data =>
  Object.fromEntries(Object.entries(document).map(([name, value]) => [name, plain(value)]));

/** A stored value as JSON has it: ids as their digits, timestamps in ISO form. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Date) return value.toISOString();
  if (kindOf(value) !== undefined) return String(value);
  return isFields(value) ? plainDocument(value) : value;
}
