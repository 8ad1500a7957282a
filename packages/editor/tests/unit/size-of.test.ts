import { expect, test } from '@jest/globals';
import { sizeOf } from '../../src/browser/model/library/size-of.js';

test.each([
  [85.35, 'en', '85.4 kB'],
  [12_345.6, 'de', '12,3 MB'],
  [0.4, 'fr', '0,4 ko'],
  [undefined, 'en', ''],
])('the size %p of a file is in "%s": %s', (size, code, text) => {
  expect(sizeOf({ code }, size === undefined ? {} : { size }).replaceAll(/[\u00A0\u202F]/g, ' ')).toBe(text);
});
