import { expect, test } from '@jest/globals';
import { claimId, type Allocated } from '../../../../src/mongo/write/claimed-ids.js';

test.each<[string, Allocated, number, Allocated | undefined]>([
  ['the next one', { last: 4, free: [] }, 5, { last: 5, free: [] }],
  ['one above leaves those between', { last: 4, free: [] }, 8, { last: 8, free: [{ from: 5, to: 7 }] }],
  ['the last one is taken', { last: 4, free: [] }, 4, undefined],
  ['one below is taken', { last: 4, free: [{ from: 2, to: 2 }] }, 1, undefined],
  [
    'one in the middle of a range',
    { last: 9, free: [{ from: 5, to: 7 }] },
    6,
    {
      last: 9,
      free: [
        { from: 5, to: 5 },
        { from: 7, to: 7 },
      ],
    },
  ],
  ['the last of a range', { last: 9, free: [{ from: 5, to: 5 }] }, 5, { last: 9, free: [] }],
])('%s', (_name, allocated, id, expected) => {
  expect(claimId(allocated, id)).toEqual(expected);
});

test('no id is allocated twice, in whatever order code claims them', () => {
  const ids = [1, 2, 3, 4, 5];
  const claimsAfter = (allocated: Allocated, had: readonly number[]): void => {
    for (const id of had.length < ids.length ? ids : []) {
      const next = claimId(allocated, id);
      expect(next === undefined).toBe(had.includes(id));
      claimsAfter(next ?? allocated, [...had, id]);
    }
  };
  claimsAfter({ last: 0, free: [] }, []);
});
