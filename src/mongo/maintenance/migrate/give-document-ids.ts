import type { Collection, Db } from 'mongodb';
import { DOCUMENT_ID } from '../../../content-types/model/system-attributes.js';
import type { ContentType } from '../../../content-types/model/types.js';
import type { DocumentIds } from '../../document-ids.js';
import { groupOf } from '../../stored/document-id.js';
import type { StoredEntry } from '../../stored/stored-entry.js';
import { pagesOf } from '../batches.js';

const lacking = { [DOCUMENT_ID]: { $exists: false } };

/** The number of entries in a collection that have no `documentId`. */
export const countWithoutDocumentId = (db: Db, collection: string): Promise<number> =>
  db.collection(collection).countDocuments(lacking);

/**
 * Gives the entries of a type that have none their `documentId`: that of a localization, or the derived one of the
 * first of them. Others that do it at the same time write the same. Then working copies get those of their entries.
 * Yields the number of entries, batch by batch.
 */
export async function* giveDocumentIds(db: Db, type: ContentType, ids: DocumentIds): AsyncGenerator<number> {
  const entries = db.collection<StoredEntry>(type.collectionName);
  for await (const page of pagesOf(entries, lacking, ['localizations'])) {
    const given = await readGiven(entries, page.flatMap(groupOf));
    const found = page.map(async (entry) => {
      const group = groupOf(entry).toSorted((a, b) => a - b);
      const [founder = entry._id] = group;
      const [ofGroup] = group.flatMap((id) => given.get(id) ?? []);
      return [entry._id, ofGroup ?? (await ids.derive(type, founder))] as const;
    });
    await writeAll(entries, await Promise.all(found));
    yield page.length;
  }
  if (type.copies === undefined) return;
  const copies = db.collection<StoredEntry>(type.copies.collectionName);
  for await (const page of pagesOf(copies, lacking, []))
    await writeAll(copies, [
      ...(await readGiven(
        entries,
        page.map(({ _id }) => _id),
      )),
    ]);
}

async function readGiven(
  entries: Collection<StoredEntry>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const filter = { _id: { $in: ids }, [DOCUMENT_ID]: { $exists: true } };
  const given = await entries.find(filter, { projection: { [DOCUMENT_ID]: 1 } }).toArray();
  return new Map(given.map((entry) => [entry._id, String(entry[DOCUMENT_ID])]));
}

async function writeAll(
  collection: Collection<StoredEntry>,
  values: readonly (readonly [id: number, documentId: string])[],
): Promise<void> {
  if (values.length === 0) return;
  const operations = values.map(([_id, documentId]) => ({
    updateOne: { filter: { _id, ...lacking }, update: { $set: { [DOCUMENT_ID]: documentId } } },
  }));
  await collection.bulkWrite(operations, { ordered: false });
}
