import type { Data } from '../../../config/record.js';
import type { Entries, Entry } from '../../../documents/entries.js';
import { AppError } from '../../../errors/app-error.js';
import type { FileInfo, ReceivedFile } from '../../contract/forms.js';
import type { Attach, Target } from './attach.js';
import { FILE } from './file.js';
import type { FileRecord, PreparedFile, PrepareFile } from '../images/prepare-file.js';
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
  /** The folder of uploads. */
  readonly findFolder: () => Promise<Entry>;
}

export function createFiles({ entries, check, fields, storage, prepare, attach, inTurn, findFolder }: Parts): Files {
  const shown = { fields };
  const provider = storage.name;
  const takeBack = async (files: readonly Entry[]): Promise<void> => {
    for (const { id } of files) await entries.delete(FILE, id);
  };
  const find = async (id: number): Promise<Entry> => {
    const record = await entries.findFirst(FILE, { filters: { id } });
    if (record === undefined) throw new AppError('notFound', 'Entity not found');
    return record;
  };
  return {
    takeBack,
    remove: (id) => entries.delete(FILE, id),
    upload: async (files, infos = [], target) => {
      const prepared: PreparedFile[] = [];
      for (const [index, file] of files.entries()) prepared.push(await prepare(file, infos[index] ?? {}));
      const stored: FileRecord[] = [];
      const created: Entry[] = [];
      try {
        const folder = await findFolder();
        const placeOf = (index: number): Data => {
          const { alternativeText, caption } = infos[index] ?? {};
          return { alternativeText, caption, folder: folder.id, folderPath: folder['path'] };
        };
        for (const [index, parts] of prepared.entries()) stored.push(await storage.put(parts, placeOf(index)));
        const records = stored.map((record, index): Data => ({ ...record, ...placeOf(index), provider }));
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
      const { hash, ext } = replaced;
      const prepared = await prepare(file, info, { hash: String(hash), ext: typeof ext === 'string' ? ext : '' });
      // As recorded: a replaced file has an empty list of sizes, not none.
      const { alternativeText, caption } = info;
      return inTurn(`${FILE}:${id}`, async () => {
        const record = await storage.replace(replaced, prepared);
        const change = { ...record, alternativeText, caption, provider, formats: record.formats ?? {} };
        return entries.update(FILE, id, change, shown);
      });
    },
    describe: async (id, info) => {
      await find(id);
      const changes = Object.entries(info).filter(([, value]) => value !== null);
      return entries.update(FILE, id, Object.fromEntries(changes), shown);
    },
  };
}
