import { expect, test } from '@jest/globals';
import {
  destinations,
  firstState,
  foldersIn,
  libraryAddress,
  parseLibraryState,
  wayTo,
} from '../../src/browser/model/library/folders.js';

const old = { id: 3, name: 'Old', children: [] };
const letters = { id: 2, name: 'Letters', children: [old] };
const tree = [{ id: 1, name: 'API Uploads', children: [] }, letters];

test('a folder is found by its way from the top', () => {
  expect(wayTo(tree, 3)).toEqual([letters, old]);
  expect(wayTo(tree, 9)).toEqual([]);
  expect(wayTo(tree, null)).toEqual([]);
  expect(foldersIn(tree, null)).toBe(tree);
  expect(foldersIn(tree, 2)).toEqual([old]);
  expect(foldersIn(tree, 9)).toEqual([]);
});

test('a folder can be moved into all that are not in it', () => {
  expect(destinations(tree, []).map(({ label }) => label)).toEqual(['API Uploads', 'Letters', 'Letters / Old']);
  expect(destinations(tree, [2]).map(({ id }) => id)).toEqual([1]);
});

test('the address has what differs from the first state, and nonsense in it is left out', () => {
  const state = { folder: 3, kind: 'images', text: 'a & b', order: 'largest', page: 2 } as const;
  expect(libraryAddress(state)).toBe('/files?folder=3&kind=images&search=a+%26+b&order=largest&page=2');
  expect(parseLibraryState(libraryAddress(state).split('?')[1] ?? '')).toEqual(state);
  expect(libraryAddress(firstState)).toBe('/files');
  expect(parseLibraryState('folder=x&page=-1&order=toString&other=1')).toEqual(firstState);
});
