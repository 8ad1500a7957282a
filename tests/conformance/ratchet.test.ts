import { expect, test } from '@jest/globals';
import { regressions, raise } from '../../scripts/conformance/ratchet.js';
import { formatScores } from '../../scripts/conformance/report.js';
import type { Score } from '../../scripts/conformance/score.js';

const score = (judged: number, lenient: number, strict: number): Score => ({ judged, lenient, strict, notJudged: 1 });

test('an area with a lower score is reported with both numbers', () => {
  const before = { '10-crud': score(10, 9, 8), '11-filters': score(5, 5, 5), '12-more': score(3, 3, 3) };
  const now = { '10-crud': score(10, 8, 8), '11-filters': score(5, 5, 4), '12-more': score(1, 0, 0) };
  expect(regressions(before, now)).toEqual([
    '10-crud: 8 of 10 steps pass (lenient), 9 did before',
    '11-filters: 4 of 5 steps pass (strict), 5 did before',
  ]);
});

test('scores in the ratchet only increase, except for areas whose steps changed', () => {
  const before = { a: score(10, 9, 8), b: score(5, 5, 5), c: score(2, 2, 2) };
  const now = { b: score(6, 4, 3), a: score(10, 8, 9) };
  expect(Object.entries(raise(before, now))).toMatchObject([
    ['a', { judged: 10, lenient: 9, strict: 9 }],
    ['b', { judged: 6, lenient: 4, strict: 3 }],
    ['c', { judged: 2, lenient: 2, strict: 2 }],
  ]);
});

test('scores are formatted as a table with a total', () => {
  expect(formatScores({ '10-crud': score(10, 9, 8), '20-i18n': score(100, 100, 7) }).split('\n')).toEqual([
    'area      passed         strict  not judged',
    '10-crud     9/10   90 %       8           1',
    '20-i18n  100/100  100 %       7           1',
    'all      109/110   99 %      15           2',
  ]);
});
