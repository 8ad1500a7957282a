import { expect, test } from '@jest/globals';
import type { Member } from '../../../src/plugins/i18n/group.js';
import { findMends } from '../../../src/plugins/i18n/mend-group.js';

const member = (id: number, others: readonly number[], values: object, time: number): Member => ({
  id,
  locale: `l${id}`,
  others: others.map((other) => ({ id: other, locale: `l${other}` })),
  updatedAt: new Date(time),
  ...values,
});

test('a group that is right needs no mending', () => {
  const group = [
    member(1, [2, 3], { views: 5 }, 1),
    member(2, [1, 3], { views: 5 }, 9),
    member(3, [2, 1], { views: 5 }, 4),
  ];
  expect(findMends(group, ['views'])).toEqual([]);
});

test('members that do not know each other learn it, also those that only another one knows', () => {
  const group = [member(1, [2, 3], {}, 1), member(2, [1], {}, 1)];
  expect(findMends(group, [])).toEqual([
    { id: 2, data: { localizations: { connect: [{ id: 3, locale: 'l3' }] } } },
    { id: 3, data: { localizations: { connect: [1, 2].map((id) => ({ id, locale: `l${id}` })) } } },
  ]);
});

test('of shared values that differ the latest are good for all, of equally late ones those of the highest id', () => {
  const values = { views: 5, meta: { a: [1] } };
  const group = [member(1, [2], { ...values, views: 4 }, 7), member(2, [1], values, 7)];
  expect(findMends(group, ['views', 'meta'])).toEqual([{ id: 2, data: values }]);
  const later = [member(1, [2], { ...values, meta: null }, 8), member(2, [1], values, 7)];
  expect(findMends(later, ['views', 'meta'])).toEqual([{ id: 1, data: { views: 5, meta: null } }]);
  expect(findMends(later, ['views'])).toEqual([]);
});
