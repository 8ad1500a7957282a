import { expect, test } from '@jest/globals';
import { aheadOf } from '../../src/browser/api/schedules.js';

const [publishAt, unpublishAt] = ['2090-01-31T09:00:00.000Z', '2090-02-28T09:00:00.000Z'];

test('a published entry is not published again', () => {
  expect(aheadOf({ publishAt, unpublishAt }, true)).toEqual({ publishAt, unpublishAt });
  expect(aheadOf({ publishAt, unpublishAt }, false)).toEqual({ publishAt: null, unpublishAt });
});

test('a published entry is not told why it was not published before', () => {
  const failed = { publishAt, unpublishAt: null, error: 'title is required' };
  expect(aheadOf(failed, true)).toEqual(failed);
  expect(aheadOf(failed, false)).toEqual({ publishAt: null, unpublishAt: null });
  const refused = { publishAt: null, unpublishAt, error: 'forbidden' };
  expect(aheadOf(refused, false)).toEqual(refused);
});
