import { expect, test } from '@jest/globals';
import { parseId } from '../../../src/query/parse/input.js';

test.each<readonly [unknown, number | undefined]>([
  ['12', 12],
  ['9007199254740991', 9_007_199_254_740_991],
  // As a number, it would be the id of another entry.
  ['9007199254740993', undefined],
  ['1.0', undefined],
  ['1e3', undefined],
  ['-1', undefined],
  [' 1', undefined],
  ['', undefined],
  // Code of a project has numbers.
  [1, 1],
  [9_007_199_254_740_991, 9_007_199_254_740_991],
  [2 ** 53, undefined],
  [1.5, undefined],
  [-1, undefined],
  [Number.NaN, undefined],
  [true, undefined],
  [null, undefined],
  [[1], undefined],
  [{ id: 1 }, undefined],
])('the id in %j is %s', (text, id) => {
  expect(parseId(text)).toBe(id);
});
