import { expect, test } from '@jest/globals';
import { fieldsOfAddress, linkAddress } from '../../src/browser/model/link-address.js';
import type { ContentType } from '../../src/browser/model/schema.js';

test.each([
  ['https://www.example.org/{locale}/articles/{slug}?draft', '/en/articles/a%20b', ['id', 'locale', 'slug']],
  ['https://www.example.org/show?id={id}&draft=1#top', '/show?id=7&draft=1#top', ['id']],
  ['http://localhost:3000/{missing}', undefined, ['id', 'missing']],
  [undefined, undefined, ['id']],
])('of %s is %s', (preview, address, fields) => {
  const type = { preview } as ContentType;
  expect(linkAddress(type, { id: 7, attributes: { slug: 'a b', locale: 'en' } })).toBe(address);
  expect(fieldsOfAddress(type)).toEqual(fields);
});
