import { expect, test } from '@jest/globals';
import type { ContentType } from '../../../src/content-types/model/types.js';
import { findType } from '../../../src/rest/routes.js';

test('a name in a path has the letters of a content type, in any case', () => {
  const books = {} as ContentType;
  const types = new Map([['books', books]]);
  expect(findType(types, 'Books')).toBe(books);
  // In lower case, the sign for kelvin is a k.
  expect(findType(types, 'boo\u212As')).toBeUndefined();
});
