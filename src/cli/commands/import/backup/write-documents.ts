import { isRecord, type Data } from '../../../../config/record.js';
import type { ContentType } from '../../../../content-types/model/types.js';
import { lockOf, undoId, withoutLock, type EntryKey, type EntryLock } from '../../../../mongo/transactions/format.js';
import { ranksField, RANKS } from '../../../../mongo/stored/relation.js';
import type { Store } from '../../../../mongo/store.js';
import type { StoredDocument } from '../../../../mongo/maintenance/extended-json-lines.js';
import type { Reporter } from '../../seed/reporter.js';
import type { Skipped } from '../skipped.js';
import type { Uploads } from '../read/open-uploads.js';
import { createWriter, type Writer } from '../write/writer.js';
import { componentPath } from '../../../../query/mutation.js';

interface WritingDocuments {
  readonly store: Store;
  readonly skipped: Skipped;
  readonly reporter: Pick<Reporter, 'stored' | 'existing'>;
  /** The store of files in this project. */
  readonly uploads: Omit<Uploads, 'store'>;
  /** The ids in the archive of transactions, and of what these have logged. */
  readonly transactions: ReadonlySet<unknown>;
  readonly logged: ReadonlySet<unknown>;
}

/**
 * Writes the documents of an export unchanged, except for locks that the end of their transaction does not remove: it ended, or deleted its log, while
 * they were read.
 */
export function createDocumentWriter(writing: WritingDocuments): Writer<StoredDocument> {
  const { store, skipped, reporter, uploads, transactions, logged } = writing;
  const isStale = ({ by, removed }: EntryLock, key: EntryKey): boolean =>
    !transactions.has(by) || (removed !== true && !logged.has(undoId(by, key)));
  const adapt = ({ uid, collectionName: collection }: ContentType, stored: StoredDocument): StoredDocument => {
    const lock = lockOf(stored);
    const isFreed = lock !== undefined && isStale(lock, { collection, id: Number(stored._id) });
    const document = isFreed ? (withoutLock(stored) as StoredDocument) : stored;
    return uid === 'plugin::upload.file' && document['provider'] !== uploads.remote
      ? { ...document, provider: uploads.provider }
      : document;
  };
  return createWriter({
    idOf: ({ _id }) => _id,
    prepare: async (type, documents, without) =>
      documents.map((document) => [...without].reduce(withoutValue, adapt(type, document))),
    store,
    skipped,
    reporter,
  });
}

/** A stored entry without the value at a path and its internal fields. */
function withoutValue(document: StoredDocument, path: string): StoredDocument {
  const { [RANKS]: rank, _unique: unique, ...rest } = clear(document, path, '') as StoredDocument & Data;
  const ranks = isRecord(rank) ? Object.entries(rank).filter(([name]) => name !== path) : [];
  const keys = Array.isArray(unique) ? unique.filter((key: Data) => key['a'] !== path) : [];
  return { ...rest, ...ranksField(ranks), ...(keys.length > 0 && { _unique: keys }) };
}

function clear(fields: Data, path: string, prefix: string): Data {
  const left = Object.entries(fields).flatMap(([name, value]) => {
    const ownPath = prefix + name;
    if (ownPath === path) return [];
    if (!path.startsWith(`${ownPath}.`)) return [[name, value] as const];
    const within = (fields: Data): Data => {
      const zone = fields['__component'] as string | undefined;
      return clear(fields, path, `${componentPath(ownPath, Number(fields['id']), zone)}.`);
    };
    return [[name, Array.isArray(value) ? value.map(within) : within(value as Data)] as const];
  });
  return Object.fromEntries(left);
}
