import { Readable } from 'node:stream';
import type { ContentType } from '../../../../content-types/model/types.js';
import type { Duplicate } from '../../../../mongo/errors.js';
import { isStoredName, type FileStore } from '../../../../mongo/files/file-store.js';
import type { StoredDocument } from '../../../../mongo/maintenance/extended-json-lines.js';
import type { Store } from '../../../../mongo/store.js';
import type { Replaced } from '../../../../mongo/write/replace-documents.js';
import type { Reporter } from '../../seed/reporter.js';
import type { Uploads } from '../read/open-uploads.js';
import type { Skipped } from '../skipped.js';
import type { FileItem, Where } from '../source.js';

/** A kind of items that are stored as documents. */
interface Written {
  readonly kind: 'entry' | 'document';
  readonly where: Where;
}

/** What is stored of an item: its entry, and the working copy of this. */
export interface Prepared {
  readonly document: StoredDocument;
  readonly copy?: StoredDocument;
}

/**
 * The stored forms of items of a type.
 * @param without the paths of values that they lose
 * @param isRepeated they were written before
 */
export type Prepare<T> = (
  type: ContentType,
  items: readonly T[],
  without: ReadonlySet<string>,
  isRepeated: boolean,
) => Promise<readonly Prepared[]>;

interface Writing<T> {
  /** The items in order; `onProgress` receives the amount that has been read. */
  readonly read: (onProgress: (amount: number) => void) => AsyncIterable<T | FileItem>;
  /** The size of one reading. */
  readonly size: number;
  /** Neighbours of one group are written together. */
  readonly groupOf: (item: T) => string;
  /** By group. */
  readonly types: ReadonlyMap<string, ContentType>;
  /** Stores items of a group that has no content type; without it they are passed over. */
  readonly storeOthers?: (group: string, items: readonly T[]) => Promise<void>;
  readonly idOf: (item: T) => number;
  readonly prepare: Prepare<T>;
  readonly store: Pick<Store, 'replace'>;
  readonly skipped: Skipped;
}

export interface WriteContext {
  readonly uploads: Uploads;
  readonly reporter: Pick<Reporter, 'stored' | 'existing' | 'read'>;
  /** It stops between two batches. */
  readonly stopping: AbortSignal;
}

const BATCH = 500;
const noPaths: ReadonlySet<string> = new Set();

/**
 * Writes the items of a source: a batch is stored while the next one is read. Those with duplicate unique values are
 * written again in the end, without the values that others still have. Returns the number of stored files.
 */
export async function writeItems<T extends Written>(
  { read, size, groupOf, types, storeOthers, idOf, prepare, store, skipped }: Writing<T>,
  { uploads, reporter, stopping }: WriteContext,
): Promise<number> {
  const left = new Set<string>();
  const keyOf = (type: ContentType, item: T): string => `${type.uid} ${idOf(item)}`;
  const count = ({ kind }: Stored): void => (kind === 'same' ? reporter.existing() : reporter.stored());
  let storing: Promise<void> = Promise.resolve();
  const write = async (items: readonly T[]): Promise<void> => {
    const group = items[0] && groupOf(items[0]);
    if (group === undefined) return;
    const type = types.get(group);
    if (type === undefined) return storeOthers?.(group, items);
    const prepared = await prepare(type, items, noPaths, false);
    await storing;
    const storeAll = async (): Promise<void> => {
      for (const [index, outcome] of (await storePrepared(store, type, prepared)).entries()) {
        const item = items[index];
        if (outcome.kind !== 'duplicate') count(outcome);
        else if (item !== undefined) left.add(keyOf(type, item));
      }
    };
    storing = storeAll();
    // Whoever waits for it gets the error.
    storing.catch(() => undefined);
  };
  const writeLeft = async (type: ContentType, item: T): Promise<void> => {
    const without = new Set<string>();
    for (;;) {
      const [stored] = await prepare(type, [item], without, true);
      const [outcome] = stored === undefined ? [] : await storePrepared(store, type, [stored]);
      if (stored === undefined || outcome === undefined) return;
      if (outcome.kind !== 'duplicate') return count(outcome);
      const { path } = outcome;
      if (without.has(path)) throw new Error(`${keyOf(type, item)}: ${path} is refused a second time`);
      without.add(path);
      skipped.add({ ...item.where, type: type.uid, path, rule: 'must be unique, and another entry has the value' });
    }
  };

  let batch: T[] = [];
  let files = 0;
  for await (const item of read((amount) => reporter.read(size + amount))) {
    if (stopping.aborted) break;
    const [first] = batch;
    if (item.kind === 'file' || batch.length >= BATCH || (first && groupOf(first) !== groupOf(item))) {
      await write(batch);
      batch = [];
    }
    if (item.kind !== 'file') batch.push(item);
    else files += (await writeFile(item, uploads.store, skipped)) ? 1 : 0;
  }
  if (!stopping.aborted) await write(batch);
  await storing;
  if (stopping.aborted || left.size === 0) return files;
  for await (const item of read(() => undefined)) {
    const type = item.kind === 'file' ? undefined : types.get(groupOf(item));
    if (item.kind !== 'file' && type !== undefined && left.has(keyOf(type, item))) await writeLeft(type, item);
  }
  return files;
}

/** The path, among those of values that are lost, of an attribute that a working copy would change. */
export const pathInCopy = (name: string): string => `copy:${name}`;

/** @param path of a refused value; of a working copy it is that of `pathInCopy` */
type Stored = Exclude<Replaced, { readonly kind: 'duplicate' }> | { readonly kind: 'duplicate'; readonly path: string };

/**
 * Stores entries with their working copies, which are stored before their entries say that they have them. One whose
 * copy is refused is not stored. Returns the outcome for each.
 */
async function storePrepared(
  store: Pick<Store, 'replace'>,
  type: ContentType,
  prepared: readonly Prepared[],
): Promise<readonly Stored[]> {
  const copies = prepared.flatMap(({ copy }) => copy ?? []);
  const ofCopies = type.copies === undefined || copies.length === 0 ? [] : await store.replace(type.copies, copies);
  const outcomes = new Map(
    copies.map((copy, index) => [
      copy._id,
      outcomeOf(ofCopies[index], (at) => pathInCopy(pathOf(copy, at).split('.', 1)[0] ?? '')),
    ]),
  );
  const documents = prepared.flatMap(({ document }) =>
    outcomes.get(document._id)?.kind === 'duplicate' ? [] : [document],
  );
  const ofEntries = await store.replace(type, documents);
  for (const [index, document] of documents.entries()) {
    const outcome = outcomeOf(ofEntries[index], (at) => pathOf(document, at));
    if (outcome.kind !== 'same' || !outcomes.has(document._id)) outcomes.set(document._id, outcome);
  }
  return prepared.map(({ document: { _id } }) => outcomes.get(_id) ?? { kind: 'same' });
}

const outcomeOf = (replaced: Replaced = { kind: 'same' }, pathOf: (duplicate: Duplicate) => string): Stored =>
  replaced.kind === 'duplicate' ? { kind: 'duplicate', path: pathOf(replaced.duplicate) } : replaced;

function pathOf({ _unique }: StoredDocument, { path, value }: Duplicate): string {
  const keys = (_unique ?? []) as readonly { readonly a: string; readonly k: string }[];
  return keys.find(({ k }) => path === '_unique.k' && k === value)?.a ?? path;
}

/** Stores an uploaded file, unless the stored one is newer than the source. Returns whether it was stored. */
async function writeFile(
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
