import { randomBytes } from 'node:crypto';
import type { Db } from 'mongodb';
import type { ContentType } from '../content-types/model/types.js';
import { duplicateOf, translated } from './errors.js';
import { systemCommandOptions } from './read/time-limits.js';
import { deriveDocumentId } from './stored/document-id.js';

interface StoredKey {
  readonly _id: 'key';
  readonly key: string;
}

/** Derives the ids of documents with the key of the database, which the first process that needs it makes. */
export function openDocumentIds(db: Db) {
  const collection = db.collection<StoredKey>('_document_ids');
  const find = async (): Promise<string | undefined> =>
    (await collection.findOne({ _id: 'key' }, systemCommandOptions))?.key;
  const make = async (): Promise<string> => {
    const key = randomBytes(32).toString('base64');
    try {
      await collection.insertOne({ _id: 'key', key }, systemCommandOptions);
      return key;
    } catch (error) {
      const stored = duplicateOf(error) === undefined ? undefined : await find();
      if (stored === undefined) throw error;
      return stored;
    }
  };
  let reading: Promise<string> | undefined;
  const readKey = (): Promise<string> => {
    reading ??= translated(async () => (await find()) ?? make()).catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
  return {
    /** The `documentId` of an entry and its localizations. @param founder the first of them */
    derive: async (type: ContentType, founder: number): Promise<string> =>
      deriveDocumentId(await readKey(), type, founder),
  };
}

export type DocumentIds = ReturnType<typeof openDocumentIds>;
