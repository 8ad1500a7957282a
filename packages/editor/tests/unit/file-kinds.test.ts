import { expect, test } from '@jest/globals';
import { english } from '../../src/browser/language/english/english.js';
import { isOfKinds, refusalOf, sizeRefusalOf } from '../../src/browser/model/library/file-kinds.js';

test.each([
  [['images'], 'image/png', true],
  [['images'], 'video/mp4', false],
  [['images', 'videos'], 'video/mp4', true],
  // `files` stands for all kinds, and so does an attribute without kinds.
  [['images', 'files'], 'application/pdf', true],
  [undefined, 'application/pdf', true],
])('an attribute for %j takes %s: %s', (kinds, mime, expected) => {
  expect(isOfKinds(kinds, mime)).toBe(expected);
});

test('files of another kind, several for one, empty and too large ones are refused before they are sent', () => {
  const field = { label: 'Cover', kinds: ['images'], multiple: false };
  const image = { name: 'mill.png', type: 'image/png', size: 3 * 2 ** 20 };
  const refusal = (limit: number | undefined, ...files: readonly (typeof image)[]): string | undefined =>
    refusalOf(english.files, files, { limit, field });
  expect(refusal(undefined, image)).toBeUndefined();
  expect(refusal(image.size, image)).toBeUndefined();
  expect(refusal(2.5 * 2 ** 20, image)).toBe('mill.png is larger than 2.5 MB.');
  expect(refusal(undefined, { ...image, size: 0 })).toBe('mill.png is empty.');
  expect(refusal(undefined, { ...image, name: 'lib.mjs', type: 'text/javascript' })).toBe(
    'Cover takes no files like lib.mjs.',
  );
  expect(refusal(undefined, image, image)).toBe('Cover takes one file.');
  expect(refusalOf(english.files, [{ ...image, type: '' }, image], { limit: undefined })).toBeUndefined();
});

test('one of several files that is empty or too large is refused by itself', () => {
  expect(sizeRefusalOf(english.several, { size: 3 }, 3)).toBeUndefined();
  expect(sizeRefusalOf(english.several, { size: 3 })).toBeUndefined();
  expect(sizeRefusalOf(english.several, { size: 3 * 2 ** 20 }, 2.5 * 2 ** 20)).toBe('It is larger than 2.5 MB.');
  expect(sizeRefusalOf(english.several, { size: 0 })).toBe('It is empty.');
});
