import type { Data } from '../../config/record.js';
import type { ContentType } from '../../content-types/model/types.js';
import { insertedDocument } from '../../mongo/write/change-entry.js';
import type { DocumentsContext } from '../context.js';
import { parseAsIs } from '../input/parse-data.js';
import { encodeEntry } from './encode.js';

/**
 * Stores new entries in this order with one command, as they are: without hooks, events and receipts, for what a plugin
 * keeps of many writes. It ends before the first one that has a unique value of another. Returns the ids of those that
 * it has stored.
 * @throws AppError unavailable: some may be stored
 */
export async function appendEntries(
  context: DocumentsContext,
  type: ContentType,
  rows: readonly Data[],
): Promise<readonly number[]> {
  if (rows.length === 0) return [];
  const { store } = context;
  const now = new Date();
  const encoded = await Promise.all(
    rows.map(async (data) => {
      const input = await parseAsIs(context, type, data, true);
      return encodeEntry(context, type, input, { isNew: true, raw: true });
    }),
  );
  const { id: first } = await store.counters.reserve(type.uid, { ids: rows.length, ranks: 0 });
  const times = [
    ['createdAt', now],
    ['updatedAt', now],
  ] as const;
  const documents = encoded.map(({ values, merges }, index) =>
    insertedDocument(type, first + index, { values: new Map([...values, ...times]), merges, links: [] }),
  );
  const count = await store.append(type, documents);
  return documents.slice(0, count).map(({ _id }) => _id);
}
