import { isRecord, type Data } from '../../../../config/record.js';
import type { ContentType } from '../../../../content-types/model/types.js';
import type { Database } from '../../../../mongo/connection/database.js';
import {
  openSnapshot,
  readDocuments,
  type SnapshotSession,
} from '../../../../mongo/maintenance/extended-json-lines.js';
import { COPIED } from '../../../../mongo/stored/working-copy.js';
import { packArchive, type Packing } from '../pack-archive.js';
import type { Exporting } from '../write-export.js';
import { fileNameOf, servedAt } from '../../import/read/adapt.js';
import type { Entity } from './entity-of.js';
import type { Template } from './read-template.js';
import type { RowsOf } from './rows-of.js';
import type { StoredIds } from './stored-ids.js';

interface StrapiExporting extends Exporting {
  readonly types: readonly ContentType[];
  readonly template: Template;
  readonly settings: readonly object[];
  /** The stored ids of each type. */
  readonly ids: ReadonlyMap<string, StoredIds>;
  readonly rowsOf: RowsOf;
  readonly advance: (entries: number) => void;
}

/** Writes an archive that `strapi import` takes. Stopped, it leaves none. @throws StartError as `writeExport` */
export async function writeStrapiArchive(file: string, exporting: StrapiExporting) {
  const { template, settings, database, types } = exporting;
  const session = await openSnapshot(database.client);
  let written: Awaited<ReturnType<typeof writeAssets>> = { files: 0, missing: [] };
  try {
    await packArchive(file, async (packing) => {
      await packing.text('metadata.json', JSON.stringify(template.metadata, undefined, 2));
      const schemas = openPages(packing, 'schemas');
      for (const schema of template.schemas.values()) await schemas.add(schema);
      const configuration = openPages(packing, 'configuration');
      for (const line of settings) await configuration.add(line);
      const [entities, links] = [openPages(packing, 'entities'), openPages(packing, 'links')];
      const assets: Asset[] = [];
      for (const type of types) assets.push(...(await writeEntries(type, exporting, entities, links, session)));
      for (const pages of [schemas, configuration, entities, links]) await pages.end();
      written = await writeAssets(assets, packing, exporting);
    });
    return written;
  } finally {
    await session?.endSession();
  }
}

type Asset = ReturnType<typeof assetsOf>[number];

const FILE = 'plugin::upload.file';

/**
 * Entries in the order of their ids, with an empty row for each missing one. Returns the files of the media library.
 */
async function writeEntries(
  type: ContentType,
  { database: { db }, template, store, ids, rowsOf, advance, stopping }: StrapiExporting,
  entities: Pages,
  links: Pages,
  session: SnapshotSession,
): Promise<readonly Asset[]> {
  const assets: Asset[] = [];
  let next = 1;
  const fillUpTo = async (id: number): Promise<void> => {
    for (; next < id; next += 1) await entities.add({ type: type.uid, id: next, data: {} });
    next = id + 1;
  };
  for await (const documents of readDocuments(db, type.collectionName, session)) {
    stopping.throwIfAborted();
    const copies = await copiesOf(type, documents, db, session);
    for (const document of documents) {
      if (template.version === 4) await fillUpTo(Number(document['_id']));
      for (const { entity, links: ownLinks } of rowsOf(type, document, copies.get(Number(document['_id'])))) {
        const hasBytes = type.uid === FILE && (await store.get(fileNameOf(entity.data))) !== undefined;
        const adapted = adaptEntity(entity, hasBytes);
        await entities.add(adapted);
        for (const link of ownLinks) await links.add(link);
        if (hasBytes) assets.push(...assetsOf(adapted));
      }
    }
    advance(documents.length);
  }
  const [, last = 0] = ids.get(type.uid)?.gaps.at(-1) ?? [];
  await fillUpTo(last + 1);
  return assets;
}

/** The working copies of entries, by their ids. */
async function copiesOf(
  { copies }: ContentType,
  documents: readonly Data[],
  db: Database['db'],
  session: SnapshotSession,
): Promise<ReadonlyMap<number, Data>> {
  const copied = documents.flatMap(({ _id, [COPIED]: isCopied }) => (isCopied === 1 ? [Number(_id)] : []));
  if (copies === undefined || copied.length === 0) return new Map();
  const found = await db
    .collection<{ _id: number }>(copies.collectionName)
    .find({ _id: { $in: copied } }, { useBigInt64: true, ...(session && { session }) })
    .toArray();
  return new Map(found.map((copy) => [copy._id, copy]));
}

/** Returns the number of files in the archive, and the names of those whose bytes are missing. */
async function writeAssets(assets: readonly Asset[], packing: Packing, { store, stopping }: StrapiExporting) {
  const missing: string[] = [];
  for (const { name, metadata } of assets) {
    stopping.throwIfAborted();
    const content = await store.get(name);
    if (content === undefined) {
      missing.push(name);
      continue;
    }
    await packing.text(`assets/metadata/${name}.json`, JSON.stringify(metadata));
    await packing.file(`assets/uploads/${name}`, content);
  }
  return { files: assets.length - missing.length, missing };
}

/** Characters of a file in the archive. */
const PAGE_SIZE = 4_000_000;

/** Writes lines into files of a folder, which are complete when they are written. */
function openPages(packing: Packing, folder: string) {
  let [number, lines] = [1, ''];
  const end = async (): Promise<void> => {
    if (lines === '') return;
    await packing.text(`${folder}/${folder}_${String(number).padStart(5, '0')}.jsonl`, lines);
    number += 1;
    lines = '';
  };
  return {
    add: async (line: object): Promise<void> => {
      lines += `${JSON.stringify(line)}\n`;
      if (lines.length >= PAGE_SIZE) await end();
    },
    end,
  };
}

type Pages = ReturnType<typeof openPages>;

/**
 * An entry of Strapi's own types, in the form in which it stores them. The reverse of `adaptEntry` of an import.
 * @param hasBytes whether the bytes of a file are in the archive
 */
function adaptEntity(entity: Entity, hasBytes: boolean): Entity {
  const { type, data } = entity;
  // Codes that were mailed have another stored form in Strapi.
  if (type === 'plugin::users-permissions.user')
    return { ...entity, data: { ...data, resetPasswordToken: null, confirmationToken: null } };
  // Strapi stores the bytes of the archive with its own provider, and completes the addresses. Files of other providers
  // stay where they are.
  return hasBytes ? { ...entity, data: servedAt('/uploads/', 'local', data) } : entity;
}

/** The files of an entry of the media library, with what Strapi keeps about each in the archive. */
function assetsOf({ id, data }: Entity): readonly { readonly name: string; readonly metadata: Data }[] {
  const sizes = isRecord(data['formats']) ? Object.entries(data['formats']) : [];
  const main = { name: fileNameOf(data), metadata: { id, ...data } };
  const others = sizes.flatMap(([type, size]) =>
    isRecord(size) ? [{ name: fileNameOf(size), metadata: { ...size, type, id, mainHash: data['hash'] } }] : [],
  );
  return [main, ...others];
}
