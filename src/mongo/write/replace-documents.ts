import { BSON, type Collection, type Db } from 'mongodb';
import type { StoredDocument } from '../maintenance/extended-json-lines.js';
import { duplicateOf, refusedInBulk, type Duplicate } from '../errors.js';

/** The outcome for an entry; a duplicate is not stored: another one has its unique value. */
export type Replaced =
  { readonly kind: 'new' | 'changed' | 'same' } | { readonly kind: 'duplicate'; readonly duplicate: Duplicate };

/**
 * Stores entries of one collection, replacing existing ones with their ids; those that are already stored unchanged are not touched. Returns the
 * outcome for each. Commands have the time limit `maxTimeMS`.
 */
export async function replaceDocuments(
  db: Db,
  name: string,
  documents: readonly StoredDocument[],
  maxTimeMS: number,
): Promise<readonly Replaced[]> {
  const collection = db.collection<StoredDocument>(name);
  const stored = await readRaw(collection, documents, maxTimeMS);
  const outcomes = documents.map((document): Outcome => {
    const raw = stored.get(document._id);
    if (raw === undefined) return { document, kind: 'new' };
    // Compared as bytes: numbers of different types, and fields in another order, are different.
    return { document, kind: Buffer.compare(BSON.serialize(document), raw) === 0 ? 'same' : 'changed' };
  });
  const different = outcomes.filter(({ kind }) => kind !== 'same');
  const refused = await replaceAll(collection, different, maxTimeMS);
  return outcomes.map(({ document, kind }) => {
    const duplicate = refused.get(document._id);
    return duplicate === undefined ? { kind } : { kind: 'duplicate', duplicate };
  });
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
): Promise<ReadonlyMap<number | string, Duplicate>> {
  if (documents.length === 0) return new Map();
  // An insert needs no search: it takes half the time of a replacement.
  const operations = documents.map(({ kind, document }) =>
    kind === 'new'
      ? { insertOne: { document } }
      : { replaceOne: { filter: { _id: document._id }, replacement: document, upsert: true } },
  );
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
        await collection.replaceOne({ _id }, document, { upsert: true, maxTimeMS });
      } catch (refusal) {
        const duplicate = duplicateOf(refusal);
        if (duplicate === undefined) throw refusal;
        refused.set(_id, duplicate);
      }
    }
    return refused;
  }
}
