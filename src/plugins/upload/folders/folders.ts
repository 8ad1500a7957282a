import type { ContentType } from '../../../content-types/model/types.js';
import { system } from '../../../documents/caller.js';
import type { Documents } from '../../../documents/documents.js';
import type { Entries, Entry } from '../../../documents/entries.js';
import { AppError, hasCode } from '../../../errors/app-error.js';
import { plainEntry } from '../../../query/entry-presenter.js';
import { parseFilters } from '../../../query/parse/parse-filters.js';
import type { DistributedLock } from '../../contract/distributed-lock.js';
import { FILE } from '../media/file.js';
import { FOLDER } from './definition.js';
import type { Selected } from './parse-folder.js';
import { placedIn } from './location.js';
import { edited, newFolder, stalePaths, withDescendants, type Edit, type Folder, type Tree } from './tree.js';

/**
 * Changes of the folders, one after the other across processes, so that no two of them together make a cycle or repeat
 * a name. Each stores its decision, `parent`, in one write; the paths follow, and after a crash the next change or
 * `repair` completes them.
 */
export interface Folders {
  /** @throws AppError validation, application */
  create(folder: Pick<Folder, 'name' | 'parent'>): Promise<Entry>;
  /** @throws AppError notFound, validation */
  update(id: number, edit: Edit): Promise<Entry>;
  /** Moves folders and files; it can be repeated after an error. @throws AppError notFound, validation */
  move(selected: Selected, to: number | null): Promise<void>;
  /**
   * Deletes folders and files, and with `withContents` all that is in the folders. Returns what was deleted; what does
   * not exist is left out, so it can be repeated after an error.
   * @throws AppError conflict for a folder that is not empty
   */
  remove(selected: Selected, withContents: boolean): Promise<Selected>;
  /** Completes paths that a change left behind which was interrupted. */
  repair(): Promise<void>;
}

/** Every change reads all folders. */
const MAX_FOLDERS = 5000;

interface Parts {
  readonly entries: Entries;
  readonly documents: Documents;
  readonly fileType: ContentType;
  readonly inTurn: DistributedLock;
}

export function createFolders({ entries, documents, fileType, inTurn }: Parts): Folders {
  const readTree = async (): Promise<Tree> => {
    const populate = { parent: { fields: ['id'] } };
    const folders = await entries.findMany(FOLDER, { populate, pagination: { limit: -1 } });
    return new Map(folders.map((folder) => [folder.id, folderOf(folder)]));
  };
  const inTree = <T>(work: (tree: Tree) => Promise<T>): Promise<T> =>
    inTurn(FOLDER, async () => work(await readTree()));
  const repair = async (tree: Tree): Promise<void> => {
    for (const { id, path } of stalePaths(tree)) await entries.update(FOLDER, id, { path });
  };
  /** Files of former uploads and imports have a copy of the path, which would be wrong after a move. */
  const forgetPaths = async (folders: readonly Folder[]): Promise<void> => {
    if (folders.length === 0) return;
    const filters = { folder: { id: { $in: folders.map(({ id }) => id) } }, folderPath: { $notNull: true } };
    const filter = parseFilters(filters, fileType.attributes, 'internal');
    const request = { caller: system, presenter: plainEntry, selection: { fields: [], populate: [] } };
    await documents.updateMany(fileType, filter, { folderPath: null }, request);
  };
  const change = async (tree: Tree, edits: ReadonlyMap<number, Edit>): Promise<void> => {
    const next = edited(tree, edits);
    const moved = [...edits.keys()].filter((id) => tree.get(id)?.parent !== next.get(id)?.parent);
    await forgetPaths(withDescendants(tree, moved));
    for (const [id, edit] of edits) await entries.update(FOLDER, id, { ...edit });
    await repair(next);
  };
  const missingAsNotFound = async <T>(work: Promise<T>): Promise<T | undefined> =>
    work.catch((error: unknown) => {
      if (hasCode(error, 'notFound')) return undefined;
      throw error;
    });
  return {
    create: (written) =>
      inTree(async (tree) => {
        if (tree.size >= MAX_FOLDERS) throw new AppError('application', `There are ${MAX_FOLDERS} folders already`);
        return entries.create(FOLDER, { ...newFolder(tree, written) });
      }),
    update: (id, edit) =>
      inTree(async (tree) => {
        await change(tree, new Map([[id, edit]]));
        return entries.findOne(FOLDER, id);
      }),
    move: ({ folders, files }, to) =>
      inTree(async (tree) => {
        if (to !== null && !tree.has(to)) throw missingDestination();
        const existing = await entries.findMany(FILE, {
          filters: { id: { $in: files } },
          fields: ['id'],
          pagination: { limit: -1 },
        });
        if (existing.length < files.length) throw new AppError('notFound', 'file.notFound');
        await change(tree, new Map(folders.map((id) => [id, { parent: to }])));
        for (const id of files) await entries.update(FILE, id, placedIn(to));
      }),
    remove: ({ folders, files }, withContents) =>
      inTree(async (tree) => {
        const doomed = withDescendants(tree, folders);
        const ids = doomed.map(({ id }) => id);
        const inside = await entries.findMany(FILE, {
          filters: { folder: { id: { $in: ids } }, id: { $notIn: files } },
          fields: ['id'],
          pagination: { limit: withContents ? -1 : 1 },
        });
        if (!withContents && (inside.length > 0 || ids.some((id) => !folders.includes(id)))) throw notEmpty();
        const deleted: number[] = [];
        for (const id of [...files, ...inside.map((file) => file.id)])
          if ((await missingAsNotFound(entries.delete(FILE, id))) !== undefined) deleted.push(id);
        // What is in a folder goes first, so that nothing is left without its folder after a crash.
        for (const id of ids) await missingAsNotFound(entries.delete(FOLDER, id));
        return { folders: ids, files: deleted };
      }),
    repair: () => inTree(repair),
  };
}

const folderOf = ({ id, name, pathId, path, parent }: Entry): Folder => ({
  id,
  name: String(name),
  pathId: Number(pathId),
  path: String(path),
  parent: (parent as { readonly id: number } | null)?.id ?? null,
});

const missingDestination = (): AppError =>
  new AppError('validation', [{ path: ['destinationFolderId'], message: 'destination folder does not exist' }]);

const notEmpty = (): AppError =>
  new AppError('conflict', 'A folder is not empty: move or delete what is in it first, or set withContents');
