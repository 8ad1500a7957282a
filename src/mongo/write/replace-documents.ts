import { BSON, type Collection, type Db, type Document } from 'mongodb';
import type { Receipt } from '../../query/receipt.js';
import { RECEIPTS, withoutReceipts } from '../stored/receipts.js';
import type { StoredDocument } from '../maintenance/extended-json-lines.js';
import { duplicateOf, DUPLICATE_KEY, refusedInBulk, type Duplicate } from '../errors.js';
import type { NewDocument } from '../../query/mutation.js';

/** Inserts documents in this order, until one is a duplicate; returns how many. */
export async function appendDocuments(
  db: Db,
  name: string,
  documents: readonly NewDocument[],
  maxTimeMS: number,
): Promise<number> {
  try {
    await db.collection<NewDocument>(name).insertMany([...documents], { ordered: true, maxTimeMS });
    return documents.length;
  } catch (error) {
    const [refusal] = refusedInBulk(error).refused.values();
    if (refusal?.code !== DUPLICATE_KEY) throw error;
    return refusal.index;
  }
}

/** The outcome for an entry; a duplicate is not stored: another one has its unique value. */
export type Replaced =
  { readonly kind: 'new' | 'changed' | 'same' } | { readonly kind: 'duplicate'; readonly duplicate: Duplicate };

/**
 * Stores entries of one collection, replacing existing ones with their ids; those that are already stored unchanged are
 * not touched. Returns the outcome for each. Commands have the time limit `maxTimeMS`. @param receipt is stored with
 * each entry that is new or changes
 */
export async function replaceDocuments(
  db: Db,
  name: string,
  documents: readonly StoredDocument[],
  maxTimeMS: number,
  receipt?: Receipt,
): Promise<readonly Replaced[]> {
  const collection = db.collection<StoredDocument>(name);
  const stored = await readRaw(collection, documents, maxTimeMS);
  const outcomes = documents.map((document): Outcome => {
    const raw = stored.get(document._id);
    if (raw === undefined) return { document, kind: 'new' };
    // Compared as bytes: numbers of different types, and fields in another order, are different.
    const isSame = Buffer.compare(BSON.serialize(document), raw) === 0 || isSameBeside(document, raw);
    return { document, kind: isSame ? 'same' : 'changed' };
  });
  const different = outcomes.filter(({ kind }) => kind !== 'same');
  const refused = await replaceAll(collection, different, maxTimeMS, receipt);
  return outcomes.map(({ document, kind }) => {
    const duplicate = refused.get(document._id);
    return duplicate === undefined ? { kind } : { kind: 'duplicate', duplicate };
  });
}

/** Whether a stored entry is the same but for its receipts. */
function isSameBeside(document: StoredDocument, raw: Uint8Array): boolean {
  const stored = BSON.deserialize(raw, { promoteValues: false });
  if (!(RECEIPTS in stored)) return false;
  return Buffer.compare(BSON.serialize(document), BSON.serialize(withoutReceipts(stored))) === 0;
}

interface Outcome {
  readonly document: StoredDocument;
  readonly kind: 'new' | 'changed' | 'same';
}

async function readRaw(
  collection: Collection<StoredDocument>,
  documents: readonly StoredDocument[],
  maxTimeMS: number,
): Promise<ReadonlyMap<number | string, Uint8Array>> {
  const ids = documents.map(({ _id }) => _id);
  const stored = await collection.find({ _id: { $in: ids } }, { raw: true, maxTimeMS }).toArray();
  return new Map(
    (stored as unknown as readonly Uint8Array[]).map((raw) => [BSON.deserialize(raw)['_id'] as number | string, raw]),
  );
}

/** Returns which were refused, and why. */
async function replaceAll(
  collection: Collection<StoredDocument>,
  documents: readonly Outcome[],
  maxTimeMS: number,
  receipt: Receipt | undefined,
): Promise<ReadonlyMap<number | string, Duplicate>> {
  if (documents.length === 0) return new Map();
  // An insert needs no search: it takes half the time of a replacement.
  const operations = documents.map(({ kind, document }) => {
    const filter = { _id: document._id };
    if (kind === 'new') return { insertOne: { document: signed(document, receipt) } };
    return receipt === undefined
      ? { replaceOne: { filter, replacement: document, upsert: true } }
      : { updateOne: { filter, update: replacement(document, receipt), upsert: true } };
  });
  try {
    await collection.bulkWrite(operations, { ordered: false, maxTimeMS });
    return new Map();
  } catch (error) {
    const { refused: failed, confirmed } = refusedInBulk(error);
    if (!confirmed) throw error;
    const refused = new Map<number | string, Duplicate>();
    // Executed alone each is refused for the same reason, with its own error.
    for (const { document } of [...failed.keys()].flatMap((index) => documents[index] ?? [])) {
      const { _id } = document;
      try {
        if (receipt === undefined) await collection.replaceOne({ _id }, document, { upsert: true, maxTimeMS });
        else await collection.updateOne({ _id }, replacement(document, receipt), { upsert: true, maxTimeMS });
      } catch (refusal) {
        const duplicate = duplicateOf(refusal);
        if (duplicate === undefined) throw refusal;
        refused.set(_id, duplicate);
      }
    }
    return refused;
  }
}

const signed = (document: StoredDocument, receipt: Receipt | undefined): StoredDocument =>
  receipt === undefined ? document : { ...document, [RECEIPTS]: [receipt] };

/** Replaces a document but for its receipts, which are not collected yet. */
const replacement = (document: StoredDocument, receipt: Receipt): Document[] => {
  const receipts = { $concatArrays: [{ $ifNull: [`$${RECEIPTS}`, []] }, [{ $literal: receipt }]] };
  return [{ $replaceWith: { $mergeObjects: [{ $literal: document }, { [RECEIPTS]: receipts }] } }];
};
