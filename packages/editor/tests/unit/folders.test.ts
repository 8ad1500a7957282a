import { expect, test } from '@jest/globals';
import { destinations, foldersIn, wayTo } from '../../src/browser/model/library/folders.js';

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
