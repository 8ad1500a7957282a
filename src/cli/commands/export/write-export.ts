import { storedTypes } from '../../../content-types/model/stored-types.js';
import { isOfService } from '../../../content-types/model/system-attributes.js';
import type { Registry } from '../../../content-types/model/types.js';
import { makeManifest, names, ownCollections } from '../import/backup/manifest.js';
import type { PluginOrigin } from '../../../app/load-registry.js';
import { countEntries } from '../../../mongo/maintenance/check/check-database.js';
import type { Database } from '../../../mongo/connection/database.js';
import type { FileStore } from '../../../mongo/files/file-store.js';
import { openSnapshot, readExtendedJsonLines } from '../../../mongo/maintenance/extended-json-lines.js';
import { packArchive, type Packing } from './pack-archive.js';

export interface Exporting {
  readonly registry: Registry;
  /** Those that run. */
  readonly plugins?: readonly PluginOrigin[];
  readonly database: Database;
  readonly store: FileStore;
  readonly stopping: AbortSignal;
}

/**
 * Writes all entries and files into an archive, while they are read and written. On a replica set or a sharded cluster
 * the entries are those of one moment; on a single server each is as it was at some moment of the export, and an import
 * makes those that contradict each other agree. Stopped, it leaves no archive. Returns whether
 * they are those of one moment, the numbers of entries and files, and the bytes of the archive.
 * @param advance receives how many more entries or files are in the archive
 * @throws StartError when the database does not keep a moment for that long
 */
export async function writeExport(
  file: string,
  { registry, plugins = [], database, store, stopping }: Exporting,
  advance: (number: number) => void,
) {
  const session = await openSnapshot(database.client);
  const snapshot = session !== undefined;
  // Working copies come first: one that is published meanwhile is in its entry then, and the import drops it.
  const types = storedTypes(registry).toSorted(
    (a, b) => Number(b.copyOf !== undefined) - Number(a.copyOf !== undefined),
  );
  const stored = await countEntries(database.db, registry);
  const unused = await findUnused(database, registry);
  const entries = new Map(types.map(({ collectionName }) => [collectionName, 0]));
  let files = 0;
  try {
    const size = await packArchive(file, async (packing) => {
      await packing.text(
        names.manifest,
        JSON.stringify(makeManifest(registry, plugins, stored, snapshot, unused), undefined, 2),
      );
      const { importIds, undo, transactions, counters } = ownCollections;
      // Transactions that are under way come after the entries, which they undo or finish; counters come last, as they
      // only grow.
      for (const collection of [...entries.keys(), importIds, undo, transactions, counters]) {
        let part = 0;
        for await (const lines of readExtendedJsonLines(database.db, collection, session)) {
          stopping.throwIfAborted();
          part += 1;
          const name = `${names.documents}${collection}/${String(part).padStart(6, '0')}.ndjson`;
          await packing.text(name, lines.map((line) => `${line}\n`).join(''));
          const counted = entries.get(collection);
          if (counted === undefined) continue;
          entries.set(collection, counted + lines.length);
          advance(lines.length);
        }
      }
      // Files come after the entries, because the bytes of a file exist before its entry.
      for await (const { name } of store.list()) {
        stopping.throwIfAborted();
        await packFile(packing, name, store);
        files += 1;
        advance(1);
      }
    });
    return { snapshot, entries, files, size };
  } finally {
    await session?.endSession();
  }
}

/** Number of retries for a file that was replaced or deleted while it was read. */
const TRIES = 3;

async function packFile(packing: Packing, name: string, store: FileStore, tries = TRIES): Promise<void> {
  const content = await store.get(name);
  if (content === undefined) return;
  try {
    await packing.file(`${names.files}${name}`, content);
  } catch (error) {
    if (tries <= 1) throw error;
    await packFile(packing, name, store, tries - 1);
  }
}

/**
 * Attributes that the service alone writes, and that no entry has, as `<uid>.<name>`: versions without them read the
 * archive.
 */
async function findUnused({ db }: Database, registry: Registry): Promise<ReadonlySet<string>> {
  const unused = new Set<string>();
  for (const { uid, collectionName, attributes } of storedTypes(registry))
    for (const attribute of attributes.values())
      if (isOfService(attribute)) {
        const { name } = attribute;
        const found = await db
          .collection(collectionName)
          .findOne({ [name]: { $ne: null } }, { projection: { _id: 1 } });
        if (found === null) unused.add(`${uid}.${name}`);
      }
  return unused;
}
