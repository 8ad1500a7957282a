import { Readable } from 'node:stream';
import { isStoredName, type FileStore } from '../../../../mongo/files/file-store.js';
import type { Item } from '../source.js';
import type { Skipped } from '../skipped.js';

/** Stores an uploaded file, unless the stored one is newer than the source. Returns whether it was stored. */
export async function writeFile(
  { name, size, modified, content }: Extract<Item, { kind: 'file' }>,
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
