import type { EntryCounts } from '../../io/entry-counts.js';
import { DOCUMENT_ID } from '../../../content-types/model/system-attributes.js';
import type { Registry } from '../../../content-types/model/types.js';
import { StartError } from '../../../errors/start-error.js';
import type { PluginOrigin } from '../../../app/load-registry.js';
import type { Database } from '../../../mongo/connection/database.js';
import { recordDefinitions } from '../../../mongo/maintenance/definitions/stored-definitions.js';
import { openWorkspace } from '../../../mongo/maintenance/import-workspace.js';
import { readDocuments } from '../../../mongo/maintenance/extended-json-lines.js';
import { openStagedLinks } from '../../../mongo/maintenance/staged-links.js';
import { openStore, type Store } from '../../../mongo/store.js';
import type { ReceiptOptions } from '../../../mongo/write/receipts.js';
import { removeOthers } from './write/remove-others.js';
import type { EntryItem, FileItem, Item, Source } from './source.js';
import { scanSource } from './scan.js';
import { joinRows } from './strapi/join-rows.js';
import type { StoredEntry } from './strapi/row-index.js';
import { gatherSkipped, type Skipped } from './skipped.js';
import { createPrepareEntries } from './write/prepare-entries.js';
import { writeItems, type WriteContext } from './write/write-items.js';

export interface Importing extends WriteContext {
  readonly registry: Registry;
  /** Those that run here; a message about a missing one leaves them out. */
  readonly plugins?: readonly PluginOrigin[];
  readonly database: Database;
  /** Continue although the source's schemas have more than the content types. */
  readonly acceptDifferences: boolean;
  /** Remove entries that the source does not have. */
  readonly removeOthers: boolean;
  /** Plugins whose entries in an export of this service are left out, separated by commas. */
  readonly without?: string;
  readonly print: (line: string) => void;
  /** What plugins hear of its writes; default: nothing. */
  readonly receipts?: ReceiptOptions | undefined;
}

export interface Imported {
  readonly skipped: Skipped;
  readonly files: number;
  readonly settings: ReadonlyMap<string, unknown>;
  /** Of an export of this service: the entries of each collection that are now stored. */
  readonly entries?: EntryCounts;
}

/** Milliseconds that a command may take. */
export const TIMEOUT = 60_000;

/** The store of the database that is imported into, with the indexes of the content types. */
export async function openPreparedStore({ registry, database, print, receipts }: Importing): Promise<Store> {
  const store = openStore(database.db, { timeout: TIMEOUT, exclusive: database.exclusive, receipts });
  for (const index of await store.prepare(registry)) print(`The stored data violates the index ${index}`);
  return store;
}

/**
 * Makes the stored data the same as the source. It can be repeated, and repeating it completes an interrupted import.
 * @throws StartError before anything is written: the schemas differ, or the database has other entries
 */
export async function importSource(source: Source, importing: Importing): Promise<Imported> {
  const { registry, database, reporter, print, stopping } = importing;
  if (source.hasRows) refuseWithoutDocuments(registry);
  const store = await openPreparedStore(importing);
  const skipped = gatherSkipped();
  const workspace = await openWorkspace(database.db);
  const links = await openStagedLinks(database.db);
  try {
    const differ = (differences: readonly string[]): void => {
      if (differences.length === 0) return;
      const lines = ['The import differs from the content types:', ...differences.map((line) => `  ${line}`)];
      const advice = 'Nothing was written. Change the content types, or add --accept-differences to skip these';
      if (!importing.acceptDifferences) throw new StartError([...lines, advice].join('\n'));
      for (const line of lines) print(line);
    };
    const scan = await scanSource(source, {
      registry,
      links,
      skipped,
      differ,
      onProgress: reporter.read,
      workspace,
      storedEntries: ({ collectionName }) => storedEntries(database, collectionName),
    });
    // Keys issued by this service stay valid: archives of Strapi have none.
    const types = new Set([...scan.types].filter((uid) => !uid.startsWith('admin::')));
    await removeOthers(registry, store, { types, ids: scan.ids }, importing.removeOthers);
    // All entries that are stored are those of the source from now on.
    await recordDefinitions(database.db, [...registry.contentTypes.values()]);
    for (const [type, { id, rank }] of scan.last) {
      if (registry.contentTypes.has(type)) await store.counters.raise(type, id, rank);
    }
    await store.componentIds.raise(scan.lastComponents);

    const files = await writeItems(
      {
        read: (onProgress) => joinRows(entriesAndFiles(source.read(onProgress, workspace)), scan.rows, workspace),
        size: source.size,
        groupOf: ({ type }) => type,
        types: registry.contentTypes,
        idOf: ({ id }) => id,
        prepare: createPrepareEntries({
          scan,
          uploads: importing.uploads,
          links,
          skipped,
          documentIds: store.documentIds,
        }),
        store,
        skipped,
      },
      importing,
    );
    return { skipped, files, settings: scan.settings };
  } finally {
    await workspace.close();
    for (const { type, field, count } of await links.close()) {
      if (!stopping.aborted) skipped.skip(`links of ${type} ${field} without an entry`, count);
    }
  }
}

/**
 * @throws StartError unless the project has what Strapi 5 keeps of an entry: its documentId, and a draft beside what is
 * published
 */
export function refuseWithoutDocuments({ contentTypes }: Registry): void {
  const types = [...contentTypes.values()];
  const lacks =
    types.every(({ documentId }) => documentId === undefined) ||
    types.some(({ draftAndPublish, copies }) => draftAndPublish && copies === undefined);
  if (lacks)
    throw new StartError(
      'Entries of Strapi 5 have documentIds and drafts beside what is published: install @content-service/strapi5, and write "strapi5": true into config/plugins.json',
    );
}

async function* storedEntries({ db }: Database, collection: string): AsyncGenerator<StoredEntry> {
  const options = { projection: { [DOCUMENT_ID]: 1, locale: 1 } };
  for await (const documents of readDocuments(db, collection, undefined, options))
    for (const { _id, [DOCUMENT_ID]: documentId, locale } of documents) yield { id: Number(_id), documentId, locale };
}

async function* entriesAndFiles(items: AsyncIterable<Item>): AsyncGenerator<EntryItem | FileItem> {
  for await (const item of items) if (item.kind === 'entry' || item.kind === 'file') yield item;
}
