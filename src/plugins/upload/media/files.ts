import type { Data } from '../../../config/record.js';
import { system } from '../../../documents/caller.js';
import type { Entry } from '../../../documents/entries.js';
import { AppError } from '../../../errors/app-error.js';
import type { FileInfo, ReceivedFile } from '../../contract/forms.js';
import type { BuiltInContext } from '../../contract/built-in.js';
import { attach, type Target } from './attach.js';
import { FILE, fileTypeOf, shownFields } from '../definitions.js';
import { prepareFile, type Preparation, type PreparedFile } from '../images/prepare-file.js';
import { placedIn, type Folders, type Location } from '../folders/folders.js';
import type { Audience } from '../../../query/visibility.js';
import type { FileStorage, StoredRecord } from '../storage/file-storage.js';
import type { DistributedLock } from '../../contract/distributed-lock.js';

interface Parts extends Preparation {
  readonly context: BuiltInContext;
  readonly storage: FileStorage;
  readonly folders: Folders;
  readonly inTurn: DistributedLock;
}

interface UploadOptions {
  /** Who uploads them: see `ImageProcess`. */
  readonly sender: string;
  /** The information of each file, if any. */
  readonly infos?: readonly FileInfo[];
  readonly target?: Target | undefined;
}

/** Operations on files: their bytes and their records together. */
export class Files {
  readonly #parts: Parts;
  /** What is returned of a file. */
  readonly #fields: readonly string[];

  /** @param audience who receives the files */
  constructor(parts: Parts, audience: Audience) {
    this.#parts = parts;
    this.#fields = shownFields(parts.context.registry, audience);
  }

  /**
   * Stores files, adds them to the target media field, and returns their records in order; all or nothing.
   * @throws AppError application, overloaded, tooManyRequests
   */
  async upload(
    files: readonly ReceivedFile[],
    { sender, infos = [], target }: UploadOptions,
  ): Promise<readonly Entry[]> {
    const { context, storage, folders } = this.#parts;
    const { documents, entries, registry } = context;
    const prepared: { readonly info: FileInfo; readonly file: PreparedFile }[] = [];
    for (const [index, file] of files.entries()) {
      const info = infos[index] ?? {};
      prepared.push({ info, file: await prepareFile(file, info, sender, this.#parts) });
    }
    const stored: StoredRecord[] = [];
    const records: Data[] = [];
    const created: Entry[] = [];
    try {
      const locations = new Map<FileInfo['folder'], Location>();
      for (const folder of new Set(prepared.map(({ info }) => info.folder)))
        locations.set(folder, await folders.locate(folder));
      for (const { info, file } of prepared) {
        const { alternativeText, caption, focalPoint, folder } = info;
        const location = locations.get(folder) as Location;
        const record = await storage.put(file, { alternativeText, caption, ...location });
        stored.push(record);
        records.push({
          ...record,
          contentDigest: file.contentDigest,
          alternativeText,
          caption,
          focalPoint,
          ...this.#recorded(location),
        });
      }
      // Before the first record is created, so that refused files use up no id.
      const type = fileTypeOf(registry);
      for (const record of records) await documents.validate(type, record, { id: undefined });
      for (const record of records) created.push(await entries.create(FILE, record, { fields: this.#fields }));
      if (target !== undefined) await attach(context, target, created);
    } catch (error) {
      await this.takeBack(created);
      for (const record of stored.slice(created.length)) await storage.remove(record);
      throw error;
    }
    return created;
  }

  /**
   * Replaces a file, whose URL stays; its focal point too if the new image has its proportions.
   * @throws AppError notFound, application, overloaded, tooManyRequests
   */
  async replace(id: number, file: ReceivedFile, info: FileInfo, sender: string): Promise<Entry> {
    const { context, settings, storage, inTurn } = this.#parts;
    const replaced = await this.#find(id);
    const move = { ...(settings.folders && { folderPath: null }), ...(await this.#moved(info)) };
    const { hash, ext } = replaced;
    const kept = { hash: String(hash), ext: typeof ext === 'string' ? ext : '' };
    const prepared = await prepareFile(file, info, sender, this.#parts, kept);
    // As recorded: a replaced file has an empty list of sizes, not none.
    const { alternativeText, caption } = info;
    return inTurn(`${FILE}:${id}`, async () => {
      const record = await storage.replace(replaced, prepared);
      const focalPoint = isAlike(replaced, record) ? info.focalPoint : (info.focalPoint ?? null);
      const texts = { alternativeText, caption, focalPoint };
      const change = {
        ...record,
        contentDigest: prepared.contentDigest,
        ...texts,
        ...move,
        formats: record.formats ?? {},
      };
      return context.entries.update(FILE, id, change, { fields: this.#fields });
    });
  }

  /** Changes the information of a file. @throws AppError notFound */
  async describe(id: number, info: FileInfo): Promise<Entry> {
    await this.#find(id);
    const { folder: _folder, focalPoint, ...texts } = info;
    const changes = Object.entries(texts).filter(([, value]) => value !== null);
    const change = { ...Object.fromEntries(changes), focalPoint, ...(await this.#moved(info)) };
    return this.#parts.context.entries.update(FILE, id, change, { fields: this.#fields });
  }

  /** Removes uploaded files for good whose use failed. */
  async takeBack(files: readonly Entry[]): Promise<void> {
    const { entries, documents, registry } = this.#parts.context;
    const type = fileTypeOf(registry);
    for (const { id } of files) {
      await entries.delete(FILE, id);
      if (type.trash !== undefined) await documents.trash.remove(type, id, system);
    }
  }

  async #find(id: number): Promise<Entry> {
    const populate = { folder: { fields: ['path'] } };
    const file = await this.#parts.context.entries.findFirst(FILE, { filters: { id }, populate });
    if (file === undefined) throw new AppError('notFound', 'Entity not found');
    const { folder, ...record } = file;
    return { ...record, folderPath: record['folderPath'] ?? (folder as Data | null)?.['path'] ?? null };
  }

  /** Folders that can be moved have no copy of their path in the record. */
  #recorded(location: Location): Data {
    return this.#parts.settings.folders ? placedIn(location.folder) : { ...location };
  }

  async #moved({ folder }: FileInfo): Promise<Data> {
    return folder === undefined ? {} : this.#recorded(await this.#parts.folders.locate(folder));
  }
}

/** Whether two images have about the same proportions: then they probably show the same. */
const isAlike = (first: object, second: object): boolean => Math.abs(proportionOf(first) - proportionOf(second)) < 0.01;

const proportionOf = (image: { readonly width?: unknown; readonly height?: unknown }): number =>
  Number(image.width) / Number(image.height);
