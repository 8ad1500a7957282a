import { isRecord, type Data } from '../../../../config/record.js';
import type { ContentType } from '../../../../content-types/model/types.js';
import type { Replaced } from '../../../../mongo/write/replace-entries.js';
import { ranksField, RANKS } from '../../../../mongo/stored/relation.js';
import type { Store } from '../../../../mongo/store.js';
import type { StoredDocument } from '../../../../mongo/maintenance/extended-json-lines.js';
import type { Reporter } from '../../seed/reporter.js';
import type { Where } from '../source.js';
import type { Skipped } from '../skipped.js';
import type { Uploads } from '../read/open-uploads.js';
import { componentPath } from '../../../../query/mutation.js';

/** Writes the documents of an export unchanged. */
export interface DocumentWriter {
  /**
   * Documents of one type; those with duplicate unique values are left for `retry`. Returns while the last ones are
   * stored: see `settle`.
   */
  write(type: ContentType, documents: readonly StoredDocument[]): Promise<void>;
  /** All that was written is stored. */
  settle(): Promise<void>;
  /** Writes a document if it was left, without the values that another one still has. */
  retry(type: ContentType, document: StoredDocument, where: Where): Promise<void>;
  /** How many are left. */
  readonly left: number;
}

interface WritingDocuments {
  readonly store: Store;
  readonly skipped: Skipped;
  readonly reporter: Pick<Reporter, 'stored' | 'existing'>;
  /** The store of files in this project. */
  readonly uploads: Omit<Uploads, 'store'>;
}

export function createDocumentWriter({ store, skipped, reporter, uploads }: WritingDocuments): DocumentWriter {
  const left = new Set<string>();
  const documentKey = ({ uid }: ContentType, { _id }: StoredDocument): string => `${uid} ${_id}`;
  const count = ({ kind }: Replaced): void => (kind === 'same' ? reporter.existing() : reporter.stored());
  const adapt = ({ uid }: ContentType, document: StoredDocument): StoredDocument =>
    uid === 'plugin::upload.file' && document['provider'] !== uploads.remote
      ? { ...document, provider: uploads.provider }
      : document;
  const storeAll = async (type: ContentType, documents: readonly StoredDocument[]): Promise<void> => {
    for (const [index, outcome] of (await store.restore(type, documents)).entries()) {
      const document = documents[index];
      if (outcome.kind !== 'duplicate') count(outcome);
      else if (document !== undefined) left.add(documentKey(type, document));
    }
  };
  let storing: Promise<void> = Promise.resolve();
  return {
    write: async (type, documents) => {
      await storing;
      storing = storeAll(
        type,
        documents.map((document) => adapt(type, document)),
      );
      // The caller that waits for it gets the error.
      storing.catch(() => undefined);
    },
    settle: () => storing,
    retry: async (type, original, where) => {
      if (!left.has(documentKey(type, original))) return;
      for (let document = adapt(type, original); ;) {
        const [outcome] = await store.restore(type, [document]);
        if (outcome === undefined) return;
        if (outcome.kind !== 'duplicate') return count(outcome);
        const path = pathOf(document, outcome.duplicate);
        skipped.add({ ...where, type: type.uid, path, rule: 'must be unique, and another entry has the value' });
        document = withoutValue(document, path);
      }
    },
    get left() {
      return left.size;
    },
  };
}

/** The path of a duplicate value in a document. */
function pathOf(
  { _unique }: StoredDocument,
  { path, value }: { readonly path: string; readonly value: unknown },
): string {
  const keys = (_unique ?? []) as readonly { readonly a: string; readonly k: string }[];
  return keys.find(({ k }) => path === '_unique.k' && k === value)?.a ?? path;
}

/** A stored entry without the value at a path and its internal fields. */
function withoutValue(document: StoredDocument, path: string): StoredDocument {
  const { _at: at, [RANKS]: rank, _unique: unique, ...rest } = clear(document, path, '') as StoredDocument & Data;
  const ranks = isRecord(rank) ? Object.entries(rank).filter(([name]) => name !== path) : [];
  const stamps = isRecord(at) ? Object.entries(at).filter(([name]) => name !== path) : [];
  const keys = Array.isArray(unique) ? unique.filter((key: Data) => key['a'] !== path) : [];
  return {
    ...rest,
    ...(stamps.length > 0 && { _at: Object.fromEntries(stamps) }),
    ...ranksField(ranks),
    ...(keys.length > 0 && { _unique: keys }),
  };
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
