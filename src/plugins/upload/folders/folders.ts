import type { Data } from '../../../config/record.js';
import type { ContentType } from '../../../content-types/model/types.js';
import { system } from '../../../documents/caller.js';
import type { Documents } from '../../../documents/documents.js';
import type { Entries, Entry } from '../../../documents/entries.js';
import { AppError, ifNotFound } from '../../../errors/app-error.js';
import { plainEntry } from '../../../query/entry-presenter.js';
import { parseFilters } from '../../../query/parse/parse-filters.js';
import type { DistributedLock } from '../../contract/distributed-lock.js';
import { FILE, FOLDER } from '../definitions.js';
import type { Selected } from './parse-folder.js';
import { edited, newFolder, refused, stalePaths, withDescendants, type Edit, type Folder, type Tree } from './tree.js';

/** Every change reads all folders. */
const MAX_FOLDERS = 5000;

/** Where files go that come through the API. */
const apiFolder = { name: 'API Uploads', parent: null };

/** The folder of a file, null at the top, and its path as providers of packages receive it. */
export interface Location {
  readonly folder: number | null;
  readonly folderPath: string;
}

interface Parts {
  readonly entries: Entries;
  readonly documents: Documents;
  readonly fileType: ContentType;
  readonly inTurn: DistributedLock;
}

/**
 * Changes of the folders, one after the other across processes, so that no two of them together make a cycle or repeat
 * a name. Each stores its decision, `parent`, in one write; the paths follow, and after a crash the next change or
 * `repair` completes them.
 */
export class Folders {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws AppError validation, application */
  create(written: Pick<Folder, 'name' | 'parent'>): Promise<Entry> {
    return this.#inTree(async (tree) => {
      if (tree.size >= MAX_FOLDERS) throw new AppError('application', `There are ${MAX_FOLDERS} folders already`);
      return this.#parts.entries.create(FOLDER, { ...newFolder(tree, written) });
    });
  }

  /** @throws AppError notFound, validation */
  update(id: number, edit: Edit): Promise<Entry> {
    return this.#inTree(async (tree) => {
      await this.#change(tree, new Map([[id, edit]]));
      return this.#parts.entries.findOne(FOLDER, id);
    });
  }

  /** Moves folders and files; it can be repeated after an error. @throws AppError notFound, validation */
  move({ folders, files }: Selected, to: number | null): Promise<void> {
    const { entries } = this.#parts;
    return this.#inTree(async (tree) => {
      if (to !== null && !tree.has(to)) throw refused('destinationFolderId', 'destination folder does not exist');
      const existing = await entries.findMany(FILE, {
        filters: { id: { $in: files } },
        fields: ['id'],
        pagination: { limit: -1 },
      });
      if (existing.length < files.length) throw new AppError('notFound', 'file.notFound');
      await this.#change(tree, new Map(folders.map((id) => [id, { parent: to }])));
      for (const id of files) await entries.update(FILE, id, placedIn(to));
    });
  }

  /**
   * Deletes folders and files, and with `withContents` all that is in the folders. Returns what was deleted; what does
   * not exist is left out, so it can be repeated after an error.
   * @throws AppError conflict for a folder that is not empty
   */
  remove({ folders, files }: Selected, withContents: boolean): Promise<Selected> {
    const { entries } = this.#parts;
    return this.#inTree(async (tree) => {
      const doomed = withDescendants(tree, folders);
      const ids = doomed.map(({ id }) => id);
      const inside = await entries.findMany(FILE, {
        filters: { folder: { id: { $in: ids } }, id: { $notIn: files } },
        fields: ['id'],
        pagination: { limit: withContents ? -1 : 1 },
      });
      if (!withContents && (inside.length > 0 || ids.some((id) => !folders.includes(id))))
        throw new AppError('folderNotEmpty');
      const deleted: number[] = [];
      for (const id of [...files, ...inside.map((file) => file.id)])
        if ((await entries.delete(FILE, id).catch(ifNotFound(undefined))) !== undefined) deleted.push(id);
      // What is in a folder goes first, so that nothing is left without its folder after a crash.
      for (const id of ids) await entries.delete(FOLDER, id).catch(ifNotFound(undefined));
      return { folders: ids, files: deleted };
    });
  }

  /** Where a new file goes: without a folder into that of uploads. @throws AppError validation */
  async locate(folder: number | null | undefined): Promise<Location> {
    if (folder === null) return { folder, folderPath: '/' };
    const entry =
      folder === undefined
        ? await this.#findApiFolder()
        : await this.#parts.entries.findFirst(FOLDER, { filters: { id: folder } });
    if (entry !== undefined) return { folder: entry.id, folderPath: String(entry['path']) };
    throw new AppError('validation', [{ path: ['fileInfo', 'folder'], message: 'folder does not exist' }]);
  }

  /** Completes paths that a change left behind which was interrupted. */
  repair(): Promise<void> {
    return this.#inTree((tree) => this.#completePaths(tree));
  }

  /** As in Strapi v4, the first upload creates it. */
  async #findApiFolder(): Promise<Entry> {
    const { entries } = this.#parts;
    const filters = { name: apiFolder.name, parent: { id: { $null: true } } };
    const find = (): Promise<Entry | undefined> => entries.findFirst(FOLDER, { filters });
    return (
      (await find()) ??
      this.#inTree(async (tree) => (await find()) ?? entries.create(FOLDER, { ...newFolder(tree, apiFolder) }))
    );
  }

  #inTree<T>(work: (tree: Tree) => Promise<T>): Promise<T> {
    const populate = { parent: { fields: ['id'] } };
    return this.#parts.inTurn(FOLDER, async () => {
      const folders = await this.#parts.entries.findMany(FOLDER, { populate, pagination: { limit: -1 } });
      return work(new Map(folders.map((folder) => [folder.id, folderOf(folder)])));
    });
  }

  async #change(tree: Tree, edits: ReadonlyMap<number, Edit>): Promise<void> {
    const next = edited(tree, edits);
    const moved = [...edits.keys()].filter((id) => tree.get(id)?.parent !== next.get(id)?.parent);
    await this.#forgetPaths(withDescendants(tree, moved));
    for (const [id, edit] of edits) await this.#parts.entries.update(FOLDER, id, { ...edit });
    await this.#completePaths(next);
  }

  async #completePaths(tree: Tree): Promise<void> {
    for (const { id, path } of stalePaths(tree)) await this.#parts.entries.update(FOLDER, id, { path });
  }

  /** Files of former uploads and imports have a copy of the path, which would be wrong after a move. */
  async #forgetPaths(folders: readonly Folder[]): Promise<void> {
    if (folders.length === 0) return;
    const { documents, fileType } = this.#parts;
    const filters = { folder: { id: { $in: folders.map(({ id }) => id) } }, folderPath: { $notNull: true } };
    const filter = parseFilters(filters, fileType.attributes, 'internal');
    const request = { caller: system, presenter: plainEntry, selection: { fields: [], populate: [] } };
    await documents.updateMany(fileType, filter, { folderPath: null }, request);
  }
}

/** The place in the record of a file. Where folders can move, it has no copy of their path, which could be wrong. */
export const placedIn = (folder: number | null): Data => ({ folder, folderPath: null });

const folderOf = ({ id, name, pathId, path, parent }: Entry): Folder => ({
  id,
  name: String(name),
  pathId: Number(pathId),
  path: String(path),
  parent: (parent as { readonly id: number } | null)?.id ?? null,
});
