import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { FileStore } from '../../../mongo/files/file-store.js';
import { partsOf, storedName } from './file-storage.js';
import type { FindRecords } from './places.js';

/** Milliseconds after which a file without a record is abandoned: no upload takes as long. */
const EXPIRY_MS = 3_600_000;
/** The number of stored files whose records are looked up at once. */
const BATCH = 500;

interface Swept {
  readonly store: FileStore;
  /** Where the records of files are. */
  readonly places: readonly FindRecords[];
  /** Which of these names code has stored without a record. */
  readonly kept: (names: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Of temporary files. */
  readonly folder: string;
}

/** Removes files of incomplete uploads and removals: stored files without a record, and temporary ones. */
export async function sweepFiles({ store, places, kept, folder }: Swept, now = Date.now()): Promise<void> {
  const before = new Date(now - EXPIRY_MS);
  const isOld = (modified: Date): boolean => modified < before;
  await sweepFolder(folder, isOld);
  await store.removeUnfinished(before);
  const sweepBatch = async (batch: readonly string[]): Promise<void> => {
    const unknown = await findUnknown(batch, places);
    const keptNames = unknown.length === 0 ? new Set<string>() : await kept(unknown);
    for (const name of unknown.filter((one) => !keptNames.has(one))) {
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

/** The names without a record in any place. */
async function findUnknown(names: readonly string[], places: readonly FindRecords[]): Promise<readonly string[]> {
  let unknown = names;
  for (const find of places) {
    if (unknown.length === 0) break;
    const files = await find({ hash: { $in: unknown.flatMap(possibleHashes) } });
    const recorded = new Set(files.flatMap(partsOf).map(storedName));
    unknown = unknown.filter((name) => !recorded.has(name));
  }
  return unknown;
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
