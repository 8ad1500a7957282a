import { isRecord, type Data } from '../../../../config/record.js';
import type { ContentType } from '../../../../content-types/model/types.js';
import { lockOf, withoutLock } from '../../../../mongo/transactions/format.js';
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
  /** The ids of those that were under way when the archive was created. */
  readonly transactions: ReadonlySet<unknown>;
}

/** Writes the documents of an export unchanged, except that those whose transaction ended while they were read are not locked any more. */
export function createDocumentWriter(writing: WritingDocuments): Writer<StoredDocument> {
  const { store, skipped, reporter, uploads, transactions } = writing;
  const adapt = ({ uid }: ContentType, stored: StoredDocument): StoredDocument => {
    const by = lockOf(stored)?.by;
    const document = by === undefined || transactions.has(by) ? stored : (withoutLock(stored) as StoredDocument);
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
