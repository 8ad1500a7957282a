import { expect, test } from '@jest/globals';
import { slugOf, type SlugOptions } from '../../../src/documents/slug.js';

test.each<readonly [string, SlugOptions | undefined, string]>([
  ["it's", undefined, 'it-s'],
  ["DON'T", { lowercase: false }, 'DON-T'],
  ['Łódź & Kraków', undefined, 'lodz-and-krakow'],
  ['Привет мир', { separator: '_', lowercase: false }, 'Privet_mir'],
  ['fooBarAPIKey2', undefined, 'foo-bar-api-key2'],
  ['APIs of 2B', undefined, 'ap-is-of-2-b'],
  ['FOO360', undefined, 'foo-360'],
  ['Ünder way!', { separator: '_', lowercase: false, decamelize: false }, 'Uender_way'],
  ['_a b', { preserveLeadingUnderscore: true }, '_a-b'],
  ['a@b', { customReplacements: [['@', ' at ']] }, 'a-at-b'],
  ['日本', undefined, ''],
])('the slug of %s with %j, as recorded of the slugify of Strapi v4', (text, options, slug) => {
  expect(slugOf(text, options)).toBe(slug);
});
