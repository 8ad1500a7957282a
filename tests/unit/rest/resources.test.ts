import { expect, test } from '@jest/globals';
import { findResource, type Resource } from '../../../src/rest/routes.js';

test('a name in a path has the letters of a content type, in any case', () => {
  const books = {} as Resource;
  const resources = new Map([['books', books]]);
  expect(findResource(resources, 'Books')).toBe(books);
  // In lower case, the sign for kelvin is a k.
  expect(findResource(resources, 'boo\u212As')).toBeUndefined();
});
