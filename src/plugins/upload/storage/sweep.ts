import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Entries } from '../../../documents/entries.js';
import type { FileStore } from '../../../mongo/files/file-store.js';
import { FILE } from '../definitions.js';
import { partsOf, storedName } from './file-storage.js';

/** Milliseconds after which a file without a record is abandoned: no upload takes as long. */
const EXPIRY_MS = 3_600_000;
/** The number of stored files whose records are looked up at once. */
const BATCH = 500;

/** Removes files of incomplete uploads: stored files without a record, and temporary ones. */
export async function sweepFiles(
  { store, entries, folder }: { readonly store: FileStore; readonly entries: Entries; readonly folder: string },
  now = Date.now(),
): Promise<void> {
  const before = new Date(now - EXPIRY_MS);
  const isOld = (modified: Date): boolean => modified < before;
  await sweepFolder(folder, isOld);
  await store.removeUnfinished(before);
  const sweepBatch = async (batch: readonly string[]): Promise<void> => {
    for (const name of await findUnknown(batch, entries)) {
      // A replaced file may use the name again.
      const file = await store.get(name);
      if (file !== undefined && isOld(file.modified)) await store.remove(name);
    }
  };
  let names: string[] = [];
  for await (const { name, modified } of store.list()) {
    if (isOld(modified)) names.push(name);
    if (names.length < BATCH) continue;
    await sweepBatch(names);
    names = [];
  }
  await sweepBatch(names);
}

/** The names without a record. */
async function findUnknown(names: readonly string[], entries: Entries): Promise<readonly string[]> {
  const filters = { hash: { $in: names.flatMap(possibleHashes) } };
  const files = await entries.findMany(FILE, { filters, pagination: { limit: -1 } });
  const recorded = new Set(files.flatMap(partsOf).map(storedName));
  return names.filter((name) => !recorded.has(name));
}

/** The possible hashes of a stored name: of a file, or of one of its sizes. */
export function possibleHashes(name: string): readonly string[] {
  const hash = path.parse(name).name;
  const size = hash.indexOf('_');
  return size < 0 ? [hash] : [hash, hash.slice(size + 1)];
}

async function sweepFolder(folder: string, isOld: (modified: Date) => boolean): Promise<void> {
  for (const name of await readdir(folder).catch((): string[] => [])) {
    const stats = await stat(path.join(folder, name)).catch(() => undefined);
    if (stats !== undefined && isOld(stats.mtime)) {
      await rm(path.join(folder, name), { recursive: true, force: true });
    }
  }
}
