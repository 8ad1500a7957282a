import { expect, test } from '@jest/globals';
import { isOfKinds } from '../../../editor/model/library/file-kinds.js';

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
