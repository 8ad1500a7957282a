import type { Data } from '../../../config/record.js';
import type { Entries, Entry } from '../../../documents/entries.js';
import { AppError } from '../../../errors/app-error.js';
import type { FileInfo, ReceivedFile } from '../../contract/forms.js';
import type { Attach, Target } from './attach.js';
import { FILE } from './file.js';
import type { FileRecord, PreparedFile, PrepareFile } from '../images/prepare-file.js';
import { placedIn, type FindLocation, type Location } from '../folders/location.js';
import type { FileStorage } from '../storage/file-storage.js';
import type { DistributedLock } from '../../contract/distributed-lock.js';

/** Operations on files: their bytes and their records together. */
export interface Files {
  /**
   * Stores files, adds them to the target media field, and returns their records in order; all or nothing.
   * @param infos the information of each file, if any
   * @throws AppError application
   */
  upload(files: readonly ReceivedFile[], infos?: readonly FileInfo[], target?: Target): Promise<readonly Entry[]>;
  /** Replaces a file, whose URL stays. @throws AppError notFound, application */
  replace(id: number, file: ReceivedFile, info: FileInfo): Promise<Entry>;
  /** Changes the information of a file. @throws AppError notFound */
  describe(id: number, info: FileInfo): Promise<Entry>;
  /** Removes a file, its sizes, and every reference to it; returns its record. @throws AppError notFound */
  remove(id: number): Promise<Entry>;
  /** Removes files without a record. */
  takeBack(files: readonly Entry[]): Promise<void>;
}

interface Parts {
  readonly entries: Entries;
  /** @throws AppError if the data of the record is refused */
  readonly check: (record: Data) => Promise<unknown>;
  /** A file as returned to clients. */
  readonly fields: readonly string[];
  readonly storage: FileStorage;
  readonly prepare: PrepareFile;
  readonly attach: Attach;
  readonly inTurn: DistributedLock;
  readonly findLocation: FindLocation;
  /** Folders can be moved. */
  readonly hasFolders: boolean;
}

export function createFiles({ entries, check, fields, storage, prepare, attach, inTurn, ...folders }: Parts): Files {
  const shown = { fields };
  const provider = storage.name;
  const takeBack = async (files: readonly Entry[]): Promise<void> => {
    for (const { id } of files) await entries.delete(FILE, id);
  };
  const find = async (id: number): Promise<Entry> => {
    const populate = { folder: { fields: ['path'] } };
    const file = await entries.findFirst(FILE, { filters: { id }, populate });
    if (file === undefined) throw new AppError('notFound', 'Entity not found');
    const { folder, ...record } = file;
    return { ...record, folderPath: record['folderPath'] ?? (folder as Data | null)?.['path'] ?? null };
  };
  const { findLocation, hasFolders } = folders;
  const recorded = (location: Location): Data => (hasFolders ? placedIn(location.folder) : { ...location });
  const moved = async ({ folder }: FileInfo): Promise<Data> =>
    folder === undefined ? {} : recorded(await findLocation(folder));
  return {
    takeBack,
    remove: (id) => entries.delete(FILE, id),
    upload: async (files, infos = [], target) => {
      const prepared: PreparedFile[] = [];
      for (const [index, file] of files.entries()) prepared.push(await prepare(file, infos[index] ?? {}));
      const stored: FileRecord[] = [];
      const created: Entry[] = [];
      try {
        const locations = new Map<number | null | undefined, Location>();
        for (const folder of new Set(prepared.map((_, index) => infos[index]?.folder)))
          locations.set(folder, await findLocation(folder));
        const described = prepared.map((parts, index) => {
          const { alternativeText, caption, folder } = infos[index] ?? {};
          return { parts, texts: { alternativeText, caption }, location: locations.get(folder) as Location };
        });
        for (const { parts, texts, location } of described)
          stored.push(await storage.put(parts, { ...texts, ...location }));
        const records = described.map(({ texts, location }, index): Data => {
          return { ...stored[index], ...texts, ...recorded(location), provider };
        });
        // Before the first record is created, so that refused files use up no id.
        for (const record of records) await check(record);
        for (const record of records) created.push(await entries.create(FILE, record, shown));
        if (target !== undefined) await attach(target, created);
      } catch (error) {
        await takeBack(created);
        for (const record of stored.slice(created.length)) await storage.remove({ ...record, provider });
        throw error;
      }
      return created;
    },
    replace: async (id, file, info) => {
      const replaced = await find(id);
      const move = { ...(hasFolders && { folderPath: null }), ...(await moved(info)) };
      const { hash, ext } = replaced;
      const prepared = await prepare(file, info, { hash: String(hash), ext: typeof ext === 'string' ? ext : '' });
      // As recorded: a replaced file has an empty list of sizes, not none.
      const { alternativeText, caption } = info;
      return inTurn(`${FILE}:${id}`, async () => {
        const record = await storage.replace(replaced, prepared);
        const change = { ...record, alternativeText, caption, ...move, provider, formats: record.formats ?? {} };
        return entries.update(FILE, id, change, shown);
      });
    },
    describe: async (id, info) => {
      await find(id);
      const { folder: _folder, ...texts } = info;
      const changes = Object.entries(texts).filter(([, value]) => value !== null);
      return entries.update(FILE, id, { ...Object.fromEntries(changes), ...(await moved(info)) }, shown);
    },
  };
}
