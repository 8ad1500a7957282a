import { isRecord, type Data } from '../../../../config/record.js';
import type { ContentType } from '../../../../content-types/model/types.js';
import type { Database } from '../../../../mongo/connection/database.js';
import {
  openSnapshot,
  readDocuments,
  type SnapshotSession,
} from '../../../../mongo/maintenance/extended-json-lines.js';
import { createIdSet, type IdSet } from '../../../../mongo/maintenance/check/id-set.js';
import { packArchive, type Packing } from '../pack-archive.js';
import type { Exporting } from '../write-export.js';
import { fileNameOf, servedAt } from '../../import/read/adapt.js';
import { entityOf, type Entity } from './entity-of.js';
import type { Template } from './read-template.js';

interface StrapiExporting extends Exporting {
  readonly types: readonly ContentType[];
  readonly template: Template;
  readonly settings: readonly object[];
  /** The stored ids of each type. */
  readonly ids: ReadonlyMap<string, StoredIds>;
  readonly advance: (entries: number) => void;
}

export interface StoredIds {
  readonly set: IdSet;
  readonly count: number;
  /** Up to the last id that was ever given. */
  readonly gaps: IdGaps;
}

/** Reads which entries there are, one bit each. */
export async function readIds(
  types: readonly ContentType[],
  { db }: Database,
): Promise<ReadonlyMap<string, StoredIds>> {
  const found = new Map<string, StoredIds>();
  for (const { uid, collectionName } of types) {
    const [set, gaps] = [createIdSet(), createIdGaps()];
    let count = 0;
    for await (const documents of readDocuments(db, collectionName, undefined, { projection: { _id: 1 } })) {
      for (const { _id } of documents) {
        count += 1;
        set.add(Number(_id));
        gaps.before(Number(_id));
      }
    }
    const counter = await db.collection<{ _id: string; id?: number }>('_counters').findOne({ _id: uid });
    gaps.before((counter?.id ?? 0) + 1);
    found.set(uid, { set, count, gaps });
  }
  return found;
}

/** Writes an archive that `strapi import` takes. Stopped, it leaves none. @throws StartError as `writeExport` */
export async function writeStrapiArchive(file: string, exporting: StrapiExporting) {
  const { template, settings, database, types } = exporting;
  const session = await openSnapshot(database.client);
  let written: Awaited<ReturnType<typeof writeAssets>> = { files: 0, missing: [] };
  try {
    await packArchive(file, async (packing) => {
      await packing.text('metadata.json', JSON.stringify(template.metadata, undefined, 2));
      const pages = openPages(packing);
      for (const schema of template.schemas.values()) await pages.add('schemas', schema);
      for (const line of settings) await pages.add('configuration', line);
      const assets: Asset[] = [];
      for (const type of types) assets.push(...(await writeEntries(type, exporting, pages, session)));
      await pages.end();
      written = await writeAssets(assets, packing, exporting);
    });
    return written;
  } finally {
    await session?.endSession();
  }
}

type Asset = ReturnType<typeof assetsOf>[number];

const FILE = 'plugin::upload.file';

/** Entries in the order of their ids, with an empty row for each missing one. Returns the files of the media library. */
async function writeEntries(
  type: ContentType,
  { database, template, store, ids, advance, stopping }: StrapiExporting,
  pages: Pages,
  session: SnapshotSession,
): Promise<readonly Asset[]> {
  const encoding = {
    schemas: template.schemas,
    has: (uid: string, id: number) => ids.get(uid)?.set.has(id) === true,
  };
  const gaps = createIdGaps();
  const assets: Asset[] = [];
  const fill = async (id: number): Promise<void> => {
    const [first, last] = gaps.before(id) ?? [1, 0];
    for (let missing = first; missing <= last; missing += 1)
      await pages.add('entities', { type: type.uid, id: missing, data: {} });
  };
  for await (const documents of readDocuments(database.db, type.collectionName, session)) {
    stopping.throwIfAborted();
    for (const document of documents) {
      const { entity, links } = entityOf(type, document, encoding);
      await fill(entity.id);
      const stored = type.uid === FILE ? (await store.get(fileNameOf(entity.data))) !== undefined : true;
      const adapted = adaptEntity(entity, stored);
      await pages.add('entities', adapted);
      for (const link of links) await pages.add('links', link);
      if (type.uid === FILE && stored) assets.push(...assetsOf(adapted));
    }
    advance(documents.length);
  }
  const [, last = 0] = ids.get(type.uid)?.gaps.gaps.at(-1) ?? [];
  await fill(last + 1);
  return assets;
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

/** Writes lines into files of each folder, which are complete when they are written. */
function openPages(packing: Packing) {
  const open = new Map<string, { number: number; lines: string[]; size: number }>();
  const write = async (folder: string): Promise<void> => {
    const page = open.get(folder);
    if (page === undefined || page.lines.length === 0) return;
    const { number, lines } = page;
    open.set(folder, { number: number + 1, lines: [], size: 0 });
    await packing.text(`${folder}/${folder}_${String(number).padStart(5, '0')}.jsonl`, lines.join(''));
  };
  return {
    add: async (folder: 'schemas' | 'configuration' | 'entities' | 'links', line: object): Promise<void> => {
      const page = open.get(folder) ?? { number: 1, lines: [], size: 0 };
      open.set(folder, page);
      const text = `${JSON.stringify(line)}\n`;
      page.lines.push(text);
      page.size += text.length;
      if (page.size >= PAGE_SIZE) await write(folder);
    },
    end: async (): Promise<void> => {
      for (const folder of open.keys()) await write(folder);
    },
  };
}

type Pages = ReturnType<typeof openPages>;

/** The first and the last of ids that no entry has. */
type Gap = readonly [first: number, last: number];

/**
 * Strapi numbers imported entries anew. Empty rows in place of the ids that no entry has keep the numbers; statements remove
 * them afterwards.
 */
function createIdGaps() {
  const gaps: Gap[] = [];
  let last = 0;
  return {
    /** The ids between the last entry and this one. */
    before: (id: number): Gap | undefined => {
      const gap: Gap | undefined = id > last + 1 ? [last + 1, id - 1] : undefined;
      if (gap !== undefined) gaps.push(gap);
      last = id;
      return gap;
    },
    gaps,
    /** The number of ids in the gaps. */
    missing: (): number => gaps.reduce((sum, [first, last]) => sum + last - first + 1, 0),
  };
}

type IdGaps = ReturnType<typeof createIdGaps>;

/** The SQL that removes the empty rows of a table. */
export const removalOf = (table: string, gaps: readonly Gap[]): string =>
  gaps.map(([first, last]) => `DELETE FROM ${table} WHERE id BETWEEN ${first} AND ${last};\n`).join('');

/** Adapts entries of Strapi's own types, where it stores them in another form. The reverse of `adaptEntry` of an import. */
const adapts: Readonly<Record<string, (data: Data, hasBytes: boolean) => Data>> = {
  // Codes that were mailed have another stored form in Strapi.
  'plugin::users-permissions.user': (data) => ({ ...data, resetPasswordToken: null, confirmationToken: null }),
  // Strapi stores the bytes of the archive with its own provider, and completes the addresses. Files of other providers stay where they are.
  'plugin::upload.file': (data, hasBytes) => (hasBytes ? servedAt('/uploads/', 'local', data) : data),
};

/** @param hasBytes whether the bytes of a file are in the archive */
const adaptEntity = (entity: Entity, hasBytes: boolean): Entity => {
  const adapt = adapts[entity.type];
  return adapt === undefined ? entity : { ...entity, data: adapt(entity.data, hasBytes) };
};

/** The files of an entry of the media library, with what Strapi keeps about each in the archive. */
function assetsOf({ id, data }: Entity): readonly { readonly name: string; readonly metadata: Data }[] {
  const sizes = isRecord(data['formats']) ? Object.entries(data['formats']) : [];
  const main = { name: fileNameOf(data), metadata: { id, ...data } };
  const others = sizes.flatMap(([type, size]) =>
    isRecord(size) ? [{ name: fileNameOf(size), metadata: { ...size, type, id, mainHash: data['hash'] } }] : [],
  );
  return [main, ...others];
}
