import { expect, test } from '@jest/globals';
import {
  chainOf,
  edited,
  MAX_DEPTH,
  newFolder,
  pathOf,
  stalePaths,
  structureOf,
  withDescendants,
  type Folder,
  type Tree,
} from '../../../../src/plugins/upload/folders/tree.js';

/** Folders by id, each with its parent. */
const treeOf = (parents: Readonly<Record<number, number | null>>): Tree =>
  new Map(
    Object.entries(parents).map(([key, parent]): [number, Folder] => {
      const id = Number(key);
      return [id, { id, name: `f${id}`, pathId: 10 * id, path: '', parent }];
    }),
  );
const tree = treeOf({ 1: null, 2: 1, 3: 2, 4: null, 5: 1 });
const edit = (id: number, change: object): Tree => edited(tree, new Map([[id, change]]));

test('a path is the way from the top', () => {
  expect(pathOf(tree, 3)).toBe('/10/20/30');
  expect(stalePaths(treeOf({ 1: null, 2: 1 }))).toEqual([
    { id: 1, path: '/10' },
    { id: 2, path: '/10/20' },
  ]);
  expect(stalePaths(new Map([[1, { id: 1, name: 'a', pathId: 7, path: '/7', parent: null }]]))).toEqual([]);
});

test('what is in a folder comes before it', () => {
  expect(withDescendants(tree, [1]).map(({ id }) => id)).toEqual([3, 2, 5, 1]);
  expect(withDescendants(tree, [2, 4]).map(({ id }) => id)).toEqual([3, 2, 4]);
  expect(withDescendants(tree, [9])).toEqual([]);
});

test('a folder keeps out of itself, and a name out of its place', () => {
  expect(edit(3, { parent: 4 }).get(3)).toMatchObject({ parent: 4, name: 'f3' });
  for (const parent of [1, 2, 3]) expect(() => edit(1, { parent })).toThrow('folder cannot be moved inside itself');
  expect(() => edit(1, { parent: 9 })).toThrow('parent folder does not exist');
  expect(() => edit(9, {})).toThrow('folder.notFound');
  expect(() => edit(2, { name: 'f5' })).toThrow('A folder with this name already exists: f5');
  expect(edit(2, { name: 'f5', parent: 4 }).get(2)).toMatchObject({ name: 'f5', parent: 4 });
  // Two that are moved together can swap, and cannot meet.
  const swapped = new Map([
    [2, { name: 'f5' }],
    [5, { name: 'f2' }],
  ]);
  expect(edited(tree, swapped).get(5)?.name).toBe('f2');
  const met = new Map([
    [2, { parent: 4, name: 'same' }],
    [5, { parent: 4, name: 'same' }],
  ]);
  expect(() => edited(tree, met)).toThrow('already exists: same');
  const cycle = new Map([
    [1, { parent: 4 }],
    [4, { parent: 1 }],
  ]);
  expect(() => edited(tree, cycle)).toThrow('folder cannot be moved inside itself');
});

test('a new folder has the next number in its path', () => {
  expect(newFolder(tree, { name: 'new', parent: 2 })).toEqual({
    name: 'new',
    parent: 2,
    pathId: 51,
    path: '/10/20/51',
  });
  expect(newFolder(new Map(), { name: 'new', parent: null })).toMatchObject({ pathId: 1, path: '/1' });
  expect(() => newFolder(tree, { name: 'f4', parent: null })).toThrow('already exists');
});

test('folders are at most so deep, with what is in a folder that is moved', () => {
  const chain = (from: number, count: number): Readonly<Record<number, number | null>> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [from + index, index === 0 ? null : from + index - 1]),
    );
  const deep = treeOf({ ...chain(1, MAX_DEPTH - 2), ...chain(1001, 2) });
  const bottom = MAX_DEPTH - 2;
  const moved = edited(deep, new Map([[1001, { parent: bottom }]]));
  expect(chainOf(moved, 1002)).toHaveLength(MAX_DEPTH);
  const tooDeep = `folders can be at most ${MAX_DEPTH} deep`;
  expect(() => newFolder(moved, { name: 'new', parent: 1002 })).toThrow(tooDeep);
  const deeper = treeOf({ ...chain(1, MAX_DEPTH - 1), ...chain(1001, 2) });
  expect(() => edited(deeper, new Map([[1001, { parent: MAX_DEPTH - 1 }]]))).toThrow(tooDeep);
  // What code has stored beyond that keeps its name, and may leave.
  const stored = treeOf(chain(1, MAX_DEPTH + 5));
  expect(edited(stored, new Map([[2, { name: 'renamed' }]])).get(2)?.name).toBe('renamed');
  expect(edited(stored, new Map([[50, { parent: null }]])).get(50)?.parent).toBeNull();
});

test('a cycle that project code stored ends, and its folders are at the top', () => {
  const cyclic = treeOf({ 1: 2, 2: 1, 3: 2 });
  expect(chainOf(cyclic, 3).map(({ id }) => id)).toEqual([3, 2, 1]);
  expect(structureOf([...cyclic.values()]).map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(structureOf([...treeOf({ 1: null, 3: 9, 2: 1 }).values()])).toEqual([
    { id: 1, name: 'f1', children: [{ id: 2, name: 'f2', children: [] }] },
    { id: 3, name: 'f3', children: [] },
  ]);
});
