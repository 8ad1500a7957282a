import type { Collection, Document, FindCursor } from 'mongodb';
import { translated } from '../errors.js';
import type { StoredEntry } from '../stored/stored-entry.js';

/** The documents of a cursor as the database sends them, batch by batch; in the end the cursor is closed. */
export async function* batchesOf<T extends Document>(cursor: FindCursor<T>): AsyncGenerator<T[]> {
  try {
    while (await translated(() => cursor.hasNext())) yield cursor.readBufferedDocuments();
  } finally {
    await cursor.close();
  }
}

const PAGE = 500;

/** Fields of entries in the order of their ids, in pages: each is read when the one before has been dealt with. */
export async function* pagesOf(
  collection: Collection<StoredEntry>,
  filter: Document,
  fields: readonly string[],
): AsyncGenerator<readonly StoredEntry[]> {
  const projection = Object.fromEntries(['_id', ...fields].map((field) => [field, 1]));
  for (let after = 0; ;) {
    const rest = { $and: [{ _id: { $gt: after } }, filter] };
    const page = await collection.find(rest, { projection, sort: { _id: 1 }, limit: PAGE }).toArray();
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)?._id ?? after;
  }
}
