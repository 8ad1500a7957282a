import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Entries } from '../../documents/entries.js';
import type { FileStore } from './file-store.js';
import { FILE } from './file.js';
import { storedNames } from './files.js';

/** Milliseconds after which a file without a record is left over: no upload takes so long. */
const ABANDONED = 3_600_000;
/** Stored files whose records are looked up at once. */
const BATCH = 500;

/** Removes what uploads that did not come to their end have left: stored files without a record, and temporary ones. */
export async function sweepFiles(
  { store, entries, folder }: { readonly store: FileStore; readonly entries: Entries; readonly folder: string },
  now = Date.now(),
): Promise<void> {
  const isOld = (modified: Date): boolean => modified.getTime() < now - ABANDONED;
  await sweepFolder(folder, isOld);
  let names: string[] = [];
  for await (const { name, modified } of store.list()) {
    if (isOld(modified)) names.push(name);
    if (names.length < BATCH) continue;
    await removeUnknown(names, store, entries);
    names = [];
  }
  await removeUnknown(names, store, entries);
}

async function removeUnknown(names: readonly string[], store: FileStore, entries: Entries): Promise<void> {
  if (names.length === 0) return;
  const hashes = [...new Set(names.flatMap(possibleHashes))];
  const found: string[] = [];
  for (let start = 0; start < hashes.length; start += BATCH) {
    const filters = { hash: { $in: hashes.slice(start, start + BATCH) } };
    const files = await entries.findMany(FILE, { filters, pagination: { limit: 2 * BATCH } });
    found.push(...files.flatMap(storedNames));
  }
  const known = new Set(found);
  for (const name of names) if (!known.has(name)) await store.remove(name);
}

/** The hashes that a stored name may belong to: it can be a file's own, or that of one of its sizes. */
function possibleHashes(name: string): readonly string[] {
  const hash = path.parse(name).name;
  const size = hash.indexOf('_');
  return size < 0 ? [hash] : [hash, hash.slice(size + 1)];
}

async function sweepFolder(folder: string, isOld: (modified: Date) => boolean): Promise<void> {
  for (const name of await readdir(folder).catch((): string[] => [])) {
    const found = await stat(path.join(folder, name)).catch(() => undefined);
    if (found !== undefined && isOld(found.mtime)) {
      await rm(path.join(folder, name), { recursive: true, force: true });
    }
  }
}
