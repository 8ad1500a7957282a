import type { PluginOrigin } from '../../../../app/load-registry.js';
import { recordDefinitions } from '../../../../mongo/maintenance/definitions/stored-definitions.js';
import { isRecord, type Data } from '../../../../config/record.js';
import { entryTypeOf } from '../../../../content-types/model/stored-types.js';
import type { ContentType, Registry } from '../../../../content-types/model/types.js';
import { storedTypes } from '../../../../content-types/model/stored-types.js';
import { StartError } from '../../../../errors/start-error.js';
import { createIdSet } from '../../../../mongo/maintenance/check/id-set.js';
import { raiseCounters } from '../../../../mongo/write/counters.js';
import { replaceDocuments } from '../../../../mongo/write/replace-documents.js';
import type { Store } from '../../../../mongo/store.js';
import {
  type StoredDocument,
  parseStoredId,
  parseExtendedJsonLine,
} from '../../../../mongo/maintenance/extended-json-lines.js';
import { ranksField, RANKS } from '../../../../mongo/stored/relation.js';
import { lockOf, undoId, withoutLock, type EntryKey, type EntryLock } from '../../../../mongo/transactions/format.js';
import { componentPath } from '../../../../query/mutation.js';
import { count, counted } from '../../../io/terminal.js';
import { openPreparedStore, TIMEOUT, type Imported, type Importing } from '../import-source.js';
import { removeOthers } from '../write/remove-others.js';
import { gatherSkipped } from '../skipped.js';
import { compareStorage, findAbsentTypes, hintAtPlugins, howToRun, ownCollections, type Manifest } from './manifest.js';
import type { Backup, DocumentItem } from './open-backup.js';
import type { DocumentIds } from '../../../../mongo/document-ids.js';
import { withDocumentId } from '../write/with-document-id.js';
import { writeItems, type Prepare } from '../write/write-items.js';
import { applyRepair } from '../../../../mongo/maintenance/check/apply-repair.js';
import type { Violation } from '../../../../mongo/maintenance/check/violation.js';
import { checkDatabase, countEntries } from '../../../../mongo/maintenance/check/check-database.js';
import type { Database } from '../../../../mongo/connection/database.js';

/** Internal collections with documents that are stored unchanged. */
const asTheyAre = new Set<string>([ownCollections.importIds, ownCollections.undo, ownCollections.transactions]);

/**
 * Makes the stored data the same as an export, then checks it. It can be repeated, and repeating it completes an
 * interrupted import.
 * @throws StartError before anything is written: the content types differ, the archive is damaged, or the database has
 * other entries
 */
export async function importBackup(backup: Backup, importing: Importing): Promise<Imported> {
  const { registry, database, reporter, print, stopping } = importing;
  refuseDifferences(backup.manifest, registry, importing.plugins);
  const types = typesByCollection(backup.manifest, registry);
  const scan = await scanBackup(backup, types, reporter.read);
  const { ids, entries, counters } = scan;
  for (const line of leaveOut(backup.manifest, scan.strangers, registry, importing.without)) print(line);
  const store = await openPreparedStore(importing);
  await removeOthers(registry, store, { types: new Set(ids.keys()), ids }, importing.removeOthers);
  // All entries that are stored are those of the source from now on.
  await recordDefinitions(database.db, [...registry.contentTypes.values()]);
  await raiseCounters(database.db, counters);

  const skipped = gatherSkipped();
  const files = await writeItems(
    {
      read: backup.read,
      size: backup.size,
      groupOf: ({ collection }) => collection,
      types,
      storeOthers: async (collection, documents) => {
        if (asTheyAre.has(collection))
          await replaceDocuments(database.db, collection, documents.map(parseDocument), TIMEOUT);
      },
      idOf: (item) => parse(item, parseStoredId),
      prepare: createPrepareDocuments(scan, importing.uploads, store.documentIds),
      store,
      skipped,
    },
    importing,
  );
  if (!stopping.aborted) {
    // Completes the writes that were in progress when the archive was created.
    await store.sweep(true);
    const share = (checked: number): number => Math.min(1, checked / Math.max(1, entries));
    const { mended, violations } = await repairDatabase(database, registry, store, (checked) =>
      reporter.read(backup.size * (2 + share(checked))),
    );
    if (mended > 0) print(`Repaired ${count(mended)} × contradictions of entries written during the export`);
    for (const { collection, id, path, rule } of violations) {
      skipped.add({ file: `${collection} ${id}`, line: undefined, type: collection, path, rule });
    }
  }
  return { skipped, files, settings: new Map(), entries: await countEntries(database.db, registry) };
}

function refuseDifferences(manifest: Manifest, registry: Registry, plugins: readonly PluginOrigin[] = []): void {
  const differences = compareStorage(manifest, registry);
  if (differences.length === 0) return;
  const lines = [
    'The content types of the export are different:',
    ...differences.map((line) => `  ${line}`),
    ...hintAtPlugins(manifest, plugins),
  ];
  const advice = 'Nothing was written. Import with the content types of the export, then change them and run migrate';
  throw new StartError([...lines, advice].join('\n'));
}

/**
 * What is left out of an export, because the plugins that it belongs to do not run here: a line for each content type.
 * @param strangers the number of entries in each collection that belongs to no content type
 * @throws StartError if there are entries that are not to be left out
 */
function leaveOut(
  manifest: Manifest,
  strangers: ReadonlyMap<string, number>,
  registry: Registry,
  without = '',
): readonly string[] {
  const left = new Set(without.split(',').flatMap((name) => name.trim() || []));
  const absent = findAbsentTypes(manifest, registry)
    .map((type) => ({ ...type, entries: strangers.get(type.collection) ?? 0 }))
    .filter(({ entries }) => entries > 0);
  const describe = ({ uid, entries, plugin }: (typeof absent)[number]): string =>
    `${counted(entries, 'entry', 'entries')} of ${uid}, of the plugin ${plugin.name}`;
  for (const name of left)
    if (!absent.some(({ plugin }) => plugin.name === name))
      throw new StartError(`--without ${name}: the export has no entries of such a plugin that does not run here`);
  const missing = absent.filter(({ plugin }) => !left.has(plugin.name));
  if (missing.length === 0) return absent.map((type) => `Left out: ${describe(type)}`);
  const names = [...new Set(missing.map(({ plugin }) => plugin.name))];
  throw new StartError(
    [
      'The export has entries of plugins that do not run here:',
      ...missing.map((type) => `  ${describe(type)}: ${howToRun(type.plugin)}`),
      `Nothing was written. To leave them out, add --without ${[...left, ...names].join(',')}`,
    ].join('\n'),
  );
}

const typesByCollection = ({ collections }: Manifest, registry: Registry): ReadonlyMap<string, ContentType> =>
  new Map(
    storedTypes(registry).flatMap((type) => {
      const collection = collections[type.uid];
      return collection === undefined ? [] : [[collection, type] as const];
    }),
  );

/**
 * Reads an archive once to verify that it is complete. Returns also how many documents are in collections of no content
 * type, the ids of the transactions that were under way when it was made, and of what they had logged.
 */
async function scanBackup(
  backup: Backup,
  types: ReadonlyMap<string, ContentType>,
  onProgress: (bytes: number) => void,
) {
  const ids = new Map([...types.values()].map(({ uid }) => [uid, createIdSet()]));
  const counters: StoredDocument[] = [];
  const [transactions, logged] = [new Set<unknown>(), new Set<unknown>()];
  const strangers = new Map<string, number>();
  let entries = 0;
  for await (const item of backup.read(onProgress)) {
    if (item.kind !== 'document') continue;
    if (item.collection === ownCollections.counters) counters.push(parseDocument(item));
    if (item.collection === ownCollections.transactions) transactions.add(parseDocument(item)._id);
    if (item.collection === ownCollections.undo) logged.add(parseDocument(item)._id);
    const type = types.get(item.collection);
    if (type === undefined) {
      strangers.set(item.collection, (strangers.get(item.collection) ?? 0) + 1);
      continue;
    }
    ids.get(type.uid)?.add(parse(item, parseStoredId));
    entries += 1;
  }
  return { ids, entries, strangers, counters, transactions, logged };
}

/**
 * Leaves the documents of an export unchanged, except for locks that the end of their transaction does not remove: it
 * ended, or deleted its log, while they were read.
 */
function createPrepareDocuments(
  { transactions, logged }: Awaited<ReturnType<typeof scanBackup>>,
  uploads: Importing['uploads'],
  documentIds: DocumentIds,
): Prepare<DocumentItem> {
  const isStale = ({ by, changed }: EntryLock, key: EntryKey): boolean =>
    !transactions.has(by) || (changed === true && !logged.has(undoId(by, key)));
  const adapt = (type: ContentType, stored: StoredDocument): StoredDocument => {
    const { collectionName: collection } = type;
    const lock = lockOf(stored);
    const isFreed = lock !== undefined && isStale(lock, { collection, id: Number(stored._id) });
    const document = isFreed ? (withoutLock(stored) as StoredDocument) : stored;
    return entryTypeOf(type).uid === 'plugin::upload.file' && document['provider'] !== uploads.remote
      ? { ...document, provider: uploads.provider }
      : document;
  };
  return async (type, items, without) =>
    Promise.all(
      items.map(async (item) => {
        const document = [...without].reduce(withoutValue, adapt(type, parseDocument(item)));
        return { document: await withDocumentId(type, document, documentIds) };
      }),
    );
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

/** @throws StartError when the line is damaged */
const parseDocument = (item: DocumentItem): StoredDocument => parse(item, parseExtendedJsonLine);

/** Parses a line, or a part of it. @throws StartError when it is damaged */
function parse<T>({ text, where }: DocumentItem, read: (line: string) => T): T {
  try {
    return read(text);
  } catch (error) {
    throw new StartError(`${where.file}:${where.line} is damaged: ${error instanceof Error ? error.message : ''}`);
  }
}

/** A repair may reveal further violations; each round leaves fewer. */
const ROUNDS = 3;

/**
 * Checks every rule of the storage on every entry, and lets entries that contradict each other agree. Returns the
 * violations that remain.
 */
async function repairDatabase(
  { db }: Database,
  registry: Registry,
  store: Store,
  onProgress: (entries: number) => void,
) {
  let mended = 0;
  for (let round = 1; ; round += 1) {
    const violations: Violation[] = [];
    const mendedBefore = mended;
    let entries = 0;
    for await (const checked of checkDatabase(db, registry)) {
      entries += checked.entries;
      onProgress(entries);
      for (const violation of checked.violations) {
        if (violation.repair === undefined || round === ROUNDS) violations.push(violation);
        else {
          await applyRepair(store, violation.repair);
          mended += 1;
        }
      }
    }
    if (mended === mendedBefore) return { mended, violations };
  }
}
