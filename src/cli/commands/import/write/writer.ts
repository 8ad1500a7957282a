import { Readable } from 'node:stream';
import type { ContentType } from '../../../../content-types/model/types.js';
import type { Duplicate } from '../../../../mongo/errors.js';
import { isStoredName, type FileStore } from '../../../../mongo/files/file-store.js';
import type { StoredDocument } from '../../../../mongo/maintenance/extended-json-lines.js';
import type { Store } from '../../../../mongo/store.js';
import type { Replaced } from '../../../../mongo/write/replace-documents.js';
import type { Reporter } from '../../seed/reporter.js';
import type { Skipped } from '../skipped.js';
import type { FileItem, Where } from '../source.js';

interface WriterParts<T> {
  readonly idOf: (item: T) => number | string;
  /** The stored forms of items. @param without the paths of values that they lose @param isRepeated they were written before */
  readonly prepare: (
    type: ContentType,
    items: readonly T[],
    without: ReadonlySet<string>,
    isRepeated: boolean,
  ) => Promise<readonly StoredDocument[]>;
  readonly store: Pick<Store, 'replace'>;
  readonly skipped: Skipped;
  readonly reporter: Pick<Reporter, 'stored' | 'existing'>;
}

const noPaths: ReadonlySet<string> = new Set();

/** Writes items of a source together; those with duplicate unique values are left for `retry`. */
export function createWriter<T>({ idOf, prepare, store, skipped, reporter }: WriterParts<T>) {
  const left = new Set<string>();
  const keyOf = ({ uid }: ContentType, item: T): string => `${uid} ${idOf(item)}`;
  const count = ({ kind }: Replaced): void => (kind === 'same' ? reporter.existing() : reporter.stored());
  const storeAll = async (
    type: ContentType,
    items: readonly T[],
    prepared: readonly StoredDocument[],
  ): Promise<void> => {
    for (const [index, outcome] of (await store.replace(type, prepared)).entries()) {
      const item = items[index];
      if (outcome.kind !== 'duplicate') count(outcome);
      else if (item !== undefined) left.add(keyOf(type, item));
    }
  };
  let storing: Promise<void> = Promise.resolve();
  return {
    /** Items of one type. Returns while the last ones are stored: see `settle`. */
    write: async (type: ContentType, items: readonly T[]): Promise<void> => {
      const prepared = await prepare(type, items, noPaths, false);
      await storing;
      storing = storeAll(type, items, prepared);
      // The caller that waits for it gets the error.
      storing.catch(() => undefined);
    },
    /** All that was written is stored. */
    settle: () => storing,
    /** Writes an item if it was left, without the values that another one still has. */
    retry: async (type: ContentType, item: T, where: Where): Promise<void> => {
      if (!left.has(keyOf(type, item))) return;
      const without = new Set<string>();
      for (;;) {
        const [stored] = await prepare(type, [item], without, true);
        const [outcome] = stored === undefined ? [] : await store.replace(type, [stored]);
        if (stored === undefined || outcome === undefined) return;
        if (outcome.kind !== 'duplicate') return count(outcome);
        const path = pathOf(stored, outcome.duplicate);
        if (without.has(path))
          throw new Error(`${keyOf(type, item)}: ${outcome.duplicate.path} is refused a second time`);
        without.add(path);
        skipped.add({ ...where, type: type.uid, path, rule: 'must be unique, and another entry has the value' });
      }
    },
    get left() {
      return left.size;
    },
  };
}

export type Writer<T> = ReturnType<typeof createWriter<T>>;

function pathOf({ _unique }: StoredDocument, { path, value }: Duplicate): string {
  const keys = (_unique ?? []) as readonly { readonly a: string; readonly k: string }[];
  return keys.find(({ k }) => path === '_unique.k' && k === value)?.a ?? path;
}

/** Stores an uploaded file, unless the stored one is newer than the source. Returns whether it was stored. */
export async function writeFile(
  { name, size, modified, content }: FileItem,
  store: FileStore,
  skipped: Skipped,
): Promise<boolean> {
  if (!isStoredName(name)) {
    skipped.add({ file: name, line: 0, type: '', path: '', rule: 'is not a valid name of a file' });
    return false;
  }
  const stored = await store.get(name);
  if (stored?.size === size && stored.modified >= modified) return false;
  await store.put(name, Readable.from(content));
  return true;
}
