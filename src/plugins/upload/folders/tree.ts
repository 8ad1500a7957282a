import { groupBy } from '../../../config/group-by.js';
import { AppError } from '../../../errors/app-error.js';
import type { Issue } from '../../../errors/codes.js';

/** A folder as it is stored. Its place is `parent` alone: `path` is a copy for readers of Strapi v4's model. */
export interface Folder {
  readonly id: number;
  readonly name: string;
  /** Names the folder in paths. */
  readonly pathId: number;
  readonly path: string;
  /** Null: the folder is at the top. */
  readonly parent: number | null;
}

/** Folders around each other: what is done with a folder takes a step for each of them. */
export const MAX_DEPTH = 100;

/** All folders by id. */
export type Tree = ReadonlyMap<number, Folder>;

/** A change of one folder. */
export type Edit = Partial<Pick<Folder, 'name' | 'parent'>>;

/** The folder and those around it, the nearest first. Code can store a cycle: then it ends where it would repeat. */
export function chainOf(tree: Tree, id: number): readonly Folder[] {
  const chain = new Set<Folder>();
  for (let folder = tree.get(id); folder !== undefined && !chain.has(folder); folder = tree.get(folder.parent ?? 0))
    chain.add(folder);
  return [...chain];
}

/** Strapi v4's path: the `pathId` of each folder from the top. */
export const pathOf = (tree: Tree, id: number): string =>
  chainOf(tree, id)
    .map(({ pathId }) => `/${pathId}`)
    .toReversed()
    .join('');

/** The folders whose stored path is not theirs, with the path they should have. */
export const stalePaths = (tree: Tree): readonly { readonly id: number; readonly path: string }[] =>
  [...tree.values()].flatMap(({ id, path }) => {
    const actual = pathOf(tree, id);
    return actual === path ? [] : [{ id, path: actual }];
  });

/** These folders and all below them, each before the folder that it is in. */
export function withDescendants(tree: Tree, ids: readonly number[]): readonly Folder[] {
  const roots = new Set(ids);
  const depths = [...tree.values()].flatMap((folder) => {
    const chain = chainOf(tree, folder.id);
    return chain.some(({ id }) => roots.has(id)) ? [{ folder, depth: chain.length }] : [];
  });
  return depths.toSorted((a, b) => b.depth - a.depth).map(({ folder }) => folder);
}

/**
 * The tree after some changes.
 * @throws AppError notFound for an unknown folder; validation for a place or a name that it cannot have
 */
export function edited(tree: Tree, edits: ReadonlyMap<number, Edit>): Tree {
  const next = new Map(tree);
  for (const [id, edit] of edits) {
    const folder = tree.get(id);
    if (folder === undefined) throw new AppError('notFound', 'folder.notFound');
    next.set(id, { ...folder, ...edit });
  }
  for (const [id, edit] of edits) {
    const { parent } = edit;
    if (parent !== undefined && parent !== null) checkPlace(next, id, parent);
    checkName(next, id);
  }
  return next;
}

/** A folder to add to the tree. @throws AppError validation for a place or a name that it cannot have */
export function newFolder(tree: Tree, folder: Pick<Folder, 'name' | 'parent'>): Omit<Folder, 'id'> {
  const pathId = [...tree.values()].reduce((highest, other) => Math.max(highest, other.pathId), 0) + 1;
  const next = edited(new Map([...tree, [NEW, { ...folder, id: NEW, pathId, path: '' }]]), new Map([[NEW, folder]]));
  return { ...folder, pathId, path: pathOf(next, NEW) };
}

/** In place of the id of a folder that is not stored yet. */
const NEW = -1;

function checkPlace(tree: Tree, id: number, parent: number): void {
  if (!tree.has(parent)) throw refused('parent', 'parent folder does not exist');
  if (chainOf(tree, parent).some((folder) => folder.id === id))
    throw refused('parent', 'folder cannot be moved inside itself', { rule: 'folderPlace' });
  const isTooDeep = [...tree.keys()].some((below) => {
    const chain = chainOf(tree, below);
    return chain.length > MAX_DEPTH && chain.some((folder) => folder.id === id);
  });
  if (isTooDeep) throw refused('parent', `folders can be at most ${MAX_DEPTH} deep`);
}

function checkName(tree: Tree, id: number): void {
  const { name, parent } = tree.get(id) ?? {};
  const taken = [...tree.values()].some((other) => other.id !== id && other.name === name && other.parent === parent);
  if (taken)
    throw refused('name', `A folder with this name already exists: ${name}`, { rule: 'folderName', limit: name });
}

/** The error about a field of a request for folders. */
export const refused = (name: string, message: string, { rule, limit }: Pick<Issue, 'rule' | 'limit'> = {}): AppError =>
  new AppError('validation', [{ path: [name], message, rule, limit }]);

/** A folder with those in it, as Strapi v4 describes the tree. */
export interface FolderNode {
  readonly id: number;
  readonly name: string;
  readonly children: readonly FolderNode[];
}

/** All folders as a tree, each list by name. A folder in a cycle is at the top, so that none is lost from view. */
export function structureOf(folders: readonly Pick<Folder, 'id' | 'name' | 'parent'>[]): readonly FolderNode[] {
  const tree: Tree = new Map(folders.map((folder) => [folder.id, { pathId: 0, path: '', ...folder }]));
  const placed = groupBy(tree.values(), ({ id, parent }) => {
    const chain = chainOf(tree, id);
    const isReachable = tree.get(chain.at(-1)?.parent ?? 0) === undefined;
    return isReachable && chain.length > 1 ? parent : null;
  });
  const below = (parent: number | null): readonly FolderNode[] =>
    (placed.get(parent) ?? [])
      .toSorted((a, b) => a.name.localeCompare(b.name) || a.id - b.id)
      .map(({ id, name }) => ({ id, name, children: below(id) }));
  return below(null);
}
